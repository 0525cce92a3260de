/* The bits of floats, seen through memcpy. */
#include <string.h>
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

static unsigned bits_of(float f)
{
    unsigned bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static float of_bits(unsigned bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

int main(void)
{
    int i;
    for (i = 1; i < 20; i++) {
        float f = (float)i * 0.125f;
        unsigned bits = bits_of(f);
        add(bits);
        add((unsigned)(of_bits(bits ^ 0x80000000u) * -8.0f));
        add(bits_of(of_bits(bits + 0x00800000u)));
    }
    printf("checksum = %08x\n", sum);
    return 0;
}
