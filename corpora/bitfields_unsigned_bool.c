/* Unsigned and _Bool bit-fields, wrapping modulo their width and normalised to
   0 or 1.  Narrow unsigned fields promote to int, a full-width one does not,
   and saving one in a temporary of the wrong type changes comparisons. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct pixel {
    unsigned red : 5;
    unsigned green : 6;
    unsigned blue : 5;
    bool opaque : 1;
    _Bool dirty : 1;
    unsigned all : 32;
    unsigned long long deep : 40;
};

static uint32_t hash = 73;
static struct pixel screen[3];
static unsigned dirty_count;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static uint32_t pack(struct pixel p)
{
    return (uint32_t)p.red << 11 | (uint32_t)p.green << 5 | p.blue;
}

static void blend(struct pixel *p, unsigned amount)
{
    p->red += amount;
    p->green -= amount;
    p->blue ^= amount;
    p->dirty = amount;
    p->opaque = p->red > p->blue;
    p->all -= amount << 28;
    p->deep = p->deep * 5u + amount;
    dirty_count += p->dirty;
}

static int promotions(const struct pixel *p)
{
    int r = 0;

    if (p->red - 31 < 0)     /* red promotes to int */
        r |= 1;
    if (p->all - 1 > 5)      /* all stays unsigned */
        r |= 2;
    if (-p->green < 1)
        r |= 4;
    if (~p->blue < 0)
        r |= 8;
    if (p->opaque == p->dirty)
        r |= 16;
    return r;
}

int main(void)
{
    unsigned k;

    screen[1].red = 31;
    screen[1].green = 63;
    screen[2].deep = 1099511627775ULL;
    screen[2].opaque = true;
    for (k = 0; k < 12; k++) {
        struct pixel *p = &screen[k % 3u];
        blend(p, k);
        printf("%u: %04x %d%d %08x %d\n", k, (unsigned)pack(*p), p->opaque,
               p->dirty, p->all, promotions(p));
        mix(pack(*p));
        mix((uint32_t)promotions(p));
        mix((uint32_t)(p->deep >> 9));
    }
    for (k = 0; k < 3; k++) {
        screen[k].red++;
        --screen[k].blue;
        screen[k].dirty = !screen[k].dirty;
        mix(pack(screen[k]) + screen[k].dirty);
    }
    mix(dirty_count);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
