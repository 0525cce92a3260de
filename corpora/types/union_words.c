/* A union of a word and its halves and bytes. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

union word { unsigned whole; unsigned short half[2]; unsigned char byte[4]; };

static unsigned turned(unsigned value)
{
    union word u;
    unsigned char kept;
    u.whole = value;
    kept = u.byte[0];
    u.byte[0] = u.byte[3];
    u.byte[3] = kept;
    u.half[1] ^= u.half[0];
    return u.whole;
}

int main(void)
{
    unsigned value = 0x12345678u;
    int i;
    for (i = 0; i < 16; i++) {
        value = turned(value) + (unsigned)i;
        add(value);
    }
    printf("checksum = %08x\n", sum);
    return 0;
}
