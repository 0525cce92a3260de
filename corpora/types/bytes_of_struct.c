/* The bytes of a struct without padding, by a pointer to char. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

struct record { unsigned id; unsigned short size; unsigned char flags[2]; };

static unsigned hash(const void *memory, unsigned size)
{
    const unsigned char *byte = memory;
    unsigned i, h = 5381u;
    for (i = 0; i < size; i++)
        h = h * 33u ^ byte[i];
    return h;
}

int main(void)
{
    struct record r[3];
    int i;
    for (i = 0; i < 3; i++) {
        r[i].id = 1000u + (unsigned)i;
        r[i].size = (unsigned short)(i * 300);
        r[i].flags[0] = (unsigned char)(i + 1);
        r[i].flags[1] = 0xf0;
        add(hash(&r[i], sizeof r[i]));
    }
    add(hash(r, sizeof r));
    printf("checksum = %08x\n", sum);
    return 0;
}
