/* Values of several types in a union, with a tag that says which. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

struct cell { int tag; union { int i; unsigned u; float f; } as; };

static int shown(const struct cell *c)
{
    switch (c->tag) {
    case 0:
        return c->as.i;
    case 1:
        return (int)(c->as.u >> 4);
    default:
        return (int)(c->as.f * 8.0f);
    }
}

int main(void)
{
    struct cell cells[9];
    int i;
    for (i = 0; i < 9; i++) {
        cells[i].tag = i % 3;
        if (cells[i].tag == 0)
            cells[i].as.i = -5 * i;
        else if (cells[i].tag == 1)
            cells[i].as.u = 4000000000u + (unsigned)i;
        else
            cells[i].as.f = (float)i * 0.5f;
    }
    for (i = 0; i < 9; i++)
        add((unsigned)shown(&cells[8 - i]));
    printf("checksum = %08x\n", sum);
    return 0;
}
