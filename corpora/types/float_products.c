/* Dot products of doubles, and a guard on their result. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

static double left[16], right[16];

static double dot(int from, int to)
{
    double result = 0.0;
    int i;
    for (i = from; i < to; i++)
        result += left[i] * right[i];
    return result;
}

int main(void)
{
    int i;
    for (i = 0; i < 16; i++) {
        left[i] = i - 8;
        right[i] = (i % 5) * 0.5;
    }
    for (i = 0; i < 16; i++) {
        double d = dot(i / 2, i);
        if (d < 0.0)
            add((unsigned)(int)(-d * 2.0));
        else
            add((unsigned)(int)(d * 2.0) + 1u);
    }
    printf("checksum = %08x\n", sum);
    return 0;
}
