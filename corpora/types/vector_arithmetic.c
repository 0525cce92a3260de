/* Arithmetic and comparisons of vectors. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

typedef int vec __attribute__((vector_size(16)));
typedef unsigned char bytes __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));

static vec step(vec a, vec b)
{
    vec larger = a > b;
    return (a & larger) + (b & ~larger) * 2 - 1;
}

int main(void)
{
    vec a = { 1, -2, 3, -4 }, b = { 4, 3, -2, -1 };
    int i, lane;
    for (i = 0; i < 6; i++) {
        a = step(a, b);
        b ^= a >> 1;
        for (lane = 0; lane < 4; lane++)
            add((unsigned)a[lane] + (unsigned)b[lane]);
    }
    printf("checksum = %08x\n", sum);
    return 0;
}
