/* Choices lane by lane, by masks. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

typedef int vec __attribute__((vector_size(16)));
typedef unsigned char bytes __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));

static vec chosen(vec mask, vec yes, vec no)
{
    return (yes & mask) | (no & ~mask);
}

int main(void)
{
    vec a = { 5, -5, 50, -50 }, zero = { 0, 0, 0, 0 };
    int i, lane;
    for (i = 0; i < 7; i++) {
        vec even = (a & 1) == zero;
        a = chosen(even, a / 2, a * 3 + 1);
        for (lane = 0; lane < 4; lane++)
            add((unsigned)a[lane]);
    }
    printf("checksum = %08x\n", sum);
    return 0;
}
