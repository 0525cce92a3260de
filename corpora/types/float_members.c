/* Structs with floating-point members, copied and passed by value. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

struct point { float x, y; int tag; double weight; };

static struct point middle(struct point a, struct point b)
{
    struct point m;
    m.x = (a.x + b.x) / 2.0f;
    m.y = (a.y + b.y) / 2.0f;
    m.tag = a.tag ^ b.tag;
    m.weight = a.weight + b.weight;
    return m;
}

int main(void)
{
    struct point a = { 1.0f, 2.0f, 3, 0.5 }, b = { -4.0f, 8.0f, 6, 0.25 };
    int i;
    for (i = 0; i < 6; i++) {
        struct point m = middle(a, b);
        add((unsigned)(int)(m.x * 64.0f));
        add((unsigned)(int)(m.y * 64.0f) + (unsigned)m.tag);
        add((unsigned)(m.weight * 4.0));
        if (i % 2)
            a = m;
        else
            b.tag += i;
    }
    printf("checksum = %08x\n", sum);
    return 0;
}
