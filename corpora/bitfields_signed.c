/* Signed bit-fields of many widths: sign extension, in-range updates, compound
   assignment and comparison.  A bit-field has no address and no plain type, so
   `&f` and `typeof(f)` are refused by the compiler. */
#include <stdint.h>
#include <stdio.h>

struct sample {
    signed int trit : 2;
    signed int nibble : 4;
    signed int level : 7;
    signed int wide : 19;
    signed int full : 32;
    signed char tiny : 5;
};

static uint32_t hash = 71;
static struct sample history[5];

static void mix(int v)
{
    hash = (hash ^ (uint32_t)v) * 16777619u;
}

static void mix_sample(const struct sample *s)
{
    mix(s->trit);
    mix(s->nibble);
    mix(s->level);
    mix(s->wide);
    mix(s->full);
    mix(s->tiny);
}

static int clamp(int v, int low, int high)
{
    return v < low ? low : v > high ? high : v;
}

static void update(struct sample *s, int by)
{
    s->trit = clamp(s->trit + by, -2, 1);
    s->nibble = clamp(s->nibble - by, -8, 7);
    s->level = clamp(s->level * 2 + by, -64, 63);
    s->wide = clamp(s->wide + by * 4001, -262144, 262143);
    s->full = clamp(s->full, -1000000, 1000000) + by * 100;
    s->tiny = clamp(s->tiny + by % 3, -16, 15);
}

static int compare(const struct sample *a, const struct sample *b)
{
    int r = 0;

    if (a->trit < b->trit)
        r |= 1;
    if (a->nibble > -1)
        r |= 2;
    if (a->level == b->level)
        r |= 4;
    r += a->wide > b->wide ? 8 : 16;
    return r + (a->tiny >> 1) * 32;
}

int main(void)
{
    struct sample s = { -1, -8, -64, -262144, -2147483647, -16 };
    struct sample *p = &s;
    int k;

    mix_sample(&s);
    for (k = -4; k < 6; k++) {
        update(p, k);
        history[(k + 4) % 5] = *p;
        p->nibble ^= 1;
        p->wide -= p->wide < 0 ? -1 : 1;
        printf("%d: %d %d %d %d %d %d\n", k, s.trit, s.nibble, s.level, s.wide,
               s.full, s.tiny);
        mix_sample(p);
    }
    s.trit = -2;
    while (s.trit++ < 0)
        mix(s.trit);
    for (k = 0; k < 4; k++)
        mix(compare(&history[k], &history[k + 1]));
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
