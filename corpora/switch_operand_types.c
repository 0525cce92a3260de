/* Switches on char, _Bool, enum, bit-field, unsigned, long long and on
   expressions with side effects.  The operand is promoted, and it must be
   evaluated exactly once whatever is put in front of the switch. */
#include <stdint.h>
#include <stdio.h>

enum level { CALM = -1, TENSE, PANIC = 7 };

struct flags {
    unsigned mode : 3;
    signed int delta : 3;
    _Bool armed : 1;
};

static uint32_t hash = 12u;
static int evaluated;

static void mix(int v)
{
    hash = (hash ^ (uint32_t)v) * 16777619u;
}

static int once(int v)
{
    evaluated++;
    return v;
}

static int by_char(signed char c)
{
    switch (c) {
    case -128: return 1;
    case 127: return 2;
    case '\377': return 3; /* minus one */
    case 0: return 4;
    }
    return 0;
}

static int by_field(struct flags f)
{
    int r = 0;

    switch (f.mode) { case 0: r = 1; break; case 7: r = 2; break; default: r = 3; }
    switch (f.delta) { case -4: r += 10; break; case 3: r += 20; }
    switch (f.armed) { case 1: r += 100; break; case 0: r += 200; }
    return r;
}

static int by_level(enum level l)
{
    switch (l) {
    case CALM: return -10;
    case TENSE: return 0;
    case PANIC: return 70;
    }
    return 5;
}

int main(void)
{
    static const signed char chars[] = { -128, -1, 0, 1, 127 };
    struct flags f = { 0, -4, 1 };
    unsigned u = 4294967295u;
    unsigned long long wide = 1;
    int i, r = 0;

    for (i = 0; i < 5; i++)
        mix(by_char(chars[i]));
    for (i = 0; i < 8; i++) {
        f.mode = (unsigned)i & 7u;
        f.delta = i - 4;
        f.armed = i & 2;
        mix(by_field(f));
        printf("%d ", by_field(f));
    }
    mix(by_level(CALM) + by_level(TENSE) + by_level(PANIC) + by_level((enum level)3));
    switch (u) { case -1: r = 1; break; case 0: r = 2; }
    mix(r);
    for (i = 0; i < 50; i += 10)
        switch (wide << i) {
        case 1: mix(1); break;
        case 1024: mix(2); break;
        case 1ULL << 40: mix(3); break;
        }
    for (i = 0; i < 6;)
        switch (once(i++) % 3) {
        case 0: mix(i); break;
        case 1: mix(once(-i)); break;
        default: i++;
        }
    printf("\nevaluated %d, i %d\n", evaluated, i);
    mix(evaluated);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
