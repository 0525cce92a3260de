/* Lanes of vectors read and written at places that are computed. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

typedef int vec __attribute__((vector_size(16)));
typedef unsigned char bytes __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));

static bytes written(bytes v, int at, int value)
{
    v[at & 15] = (unsigned char)value;
    v[(at * 5 + 1) & 15] += v[at & 15];
    return v;
}

int main(void)
{
    bytes v = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
    int i;
    for (i = 0; i < 20; i++) {
        v = written(v, i, i * 29);
        add((unsigned)v[i % 16] << 8 | v[(i + 7) % 16]);
    }
    printf("checksum = %08x\n", sum);
    return 0;
}
