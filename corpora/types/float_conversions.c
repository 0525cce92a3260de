/* Conversions between integers of all widths and floats, both ways. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

static long long round_trip(long long number)
{
    double d = (double)number;
    float f = (float)(number % 4096);
    short s = (short)f;
    unsigned char c = (unsigned char)(f < 0.0f ? -f / 32.0f : f / 32.0f);
    return (long long)d + s + c;
}

int main(void)
{
    long long number = 1;
    int i;
    for (i = 0; i < 40; i++) {
        add((unsigned)round_trip(number));
        add((unsigned)(round_trip(-number) >> 3));
        number = number * 3 + i;
        if (number > 1000000000000LL)
            number %= 1013;
    }
    printf("checksum = %08x\n", sum);
    return 0;
}
