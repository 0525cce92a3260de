/* Vectors of floats in a sum; all numbers are exact. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

typedef int vec __attribute__((vector_size(16)));
typedef unsigned char bytes __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));

static float total(const floats *list, int count)
{
    floats sums = { 0.0f, 0.0f, 0.0f, 0.0f };
    int i;
    for (i = 0; i < count; i++)
        sums += list[i] * 0.5f;
    return sums[0] + sums[1] + sums[2] + sums[3];
}

int main(void)
{
    floats list[5];
    int i, lane;
    for (i = 0; i < 5; i++)
        for (lane = 0; lane < 4; lane++)
            list[i][lane] = (float)(i * 4 + lane - 9);
    for (i = 1; i <= 5; i++)
        add((unsigned)(int)(total(list, i) * 2.0f));
    printf("checksum = %08x\n", sum);
    return 0;
}
