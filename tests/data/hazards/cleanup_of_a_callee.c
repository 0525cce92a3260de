/* Leaving a block may change variables, though no expression says so. */
#include <stdio.h>

int seen, last, total;

static void leaving(int *held) {
    seen++;
    last = *held;
    total += last;
}

static int hold(int what) {
    int held __attribute__((cleanup(leaving))) = what * 3;
    return held + 1;
}

int main(void) {
    int i, sum = 0;
    for (i = 0; i < 6; i++) {
        int before = hold(i) * 2 + 5;
        sum += before - hold(i + 1) * 7;
        if (hold(sum & 3) > 4 + i)
            sum ^= 9;
    }
    printf("%d %d %d %d\n", sum, seen, last, total);
    return 0;
}
