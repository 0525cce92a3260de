/* Two pointers that sometimes point to the same object. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

static int shared(int *one, int *two)
{
    *one = 5;
    *two = 7;
    return *one;
}

static void fill(short *to, const short *from, int count)
{
    int i;
    for (i = 0; i < count; i++)
        to[i] = (short)(from[i] + 1);
}

int main(void)
{
    int x = 0, y = 0, i;
    short run[16] = { 0 };
    add((unsigned)shared(&x, &y));
    add((unsigned)shared(&x, &x));
    fill(run + 1, run, 12);
    fill(run, run + 3, 8);
    for (i = 0; i < 16; i++)
        add((unsigned)run[i]);
    printf("checksum = %08x\n", sum);
    return 0;
}
