/* Pointers that walk over an array from both ends. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

static int data[13];

static int pairs(int *from, int *to)
{
    int met = 0;
    while (from < to) {
        int kept = *from;
        *from++ = *to;
        *to-- = kept;
        met += kept;
    }
    return met;
}

int main(void)
{
    int i;
    for (i = 0; i < 13; i++)
        data[i] = i * i - 20;
    for (i = 1; i < 13; i++)
        add((unsigned)pairs(data, data + i));
    for (i = 0; i < 13; i++)
        add((unsigned)data[i]);
    printf("checksum = %08x\n", sum);
    return 0;
}
