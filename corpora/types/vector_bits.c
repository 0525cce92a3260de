/* The bytes of vectors as other vectors, and as numbers. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

typedef int vec __attribute__((vector_size(16)));
typedef unsigned char bytes __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));

static unsigned folded(vec v)
{
    bytes b = (bytes)v;
    unsigned h = 0;
    int i;
    for (i = 0; i < 16; i++)
        h = h * 31u + b[i];
    return h;
}

int main(void)
{
    vec v = { 0x01020304, -2, 0x7fffffff, 256 };
    int i;
    for (i = 0; i < 8; i++) {
        add(folded(v));
        v = (vec)((bytes)v << 1) ^ i;
    }
    printf("checksum = %08x\n", sum);
    return 0;
}
