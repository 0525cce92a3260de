/* Bytes turned around, by shifts, by loops and by a union. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

static unsigned by_shifts(unsigned x)
{
    return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

static unsigned by_loop(unsigned x)
{
    unsigned char bytes[4];
    unsigned result = 0;
    int i;
    for (i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(x >> 8 * i);
    for (i = 0; i < 4; i++)
        result = result << 8 | bytes[i];
    return result;
}

int main(void)
{
    unsigned x = 1;
    int i;
    for (i = 0; i < 24; i++) {
        unsigned y = by_shifts(x);
        if (y != by_loop(x))
            add(99u);
        add(y);
        x = x * 2654435761u + 12345u;
    }
    printf("checksum = %08x\n", sum);
    return 0;
}
