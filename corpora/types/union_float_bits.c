/* The bits of a double, by a union. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

union number { double d; unsigned long long bits; unsigned part[2]; };

static int exponent(double d)
{
    union number n;
    n.d = d;
    return (int)(n.bits >> 52 & 0x7ff) - 1023;
}

int main(void)
{
    double d = 1.0;
    int i;
    for (i = 0; i < 20; i++) {
        union number n;
        add((unsigned)exponent(d));
        n.d = -d;
        add(n.part[1]);
        d = d * 2.0 + 0.5;
    }
    printf("checksum = %08x\n", sum);
    return 0;
}
