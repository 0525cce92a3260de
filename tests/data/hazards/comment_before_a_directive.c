/* A directive behind a comment, in a block that never runs. */
#include <stdio.h>
static int f(int n) {
    if (n > 90) {
        n += 2;
        /* remark */ #define K 3
        n ^= K;
    }
    n += K;
    return n;
}
int main(int argc, char **argv) {
    int r = f(argc);
    r += f(2);
    if (r == 77) {
        r = 1;
        /* a remark
           of two lines */ # /* and */ define L 4
    }
    printf("%d\n", r + L);
    return 0;
}
