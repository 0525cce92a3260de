/* Generic selections choose by the static type of an operand that is not
   evaluated.  Replacing a variable by a parenthesised sum, a cast or a
   temporary of another type silently selects another branch. */
#include <stdint.h>
#include <stdio.h>

#define KIND(x) _Generic((x),        \
    _Bool: 1,                        \
    char: 2,                         \
    signed char: 3,                  \
    unsigned char: 4,                \
    short: 5,                        \
    int: 6,                          \
    unsigned: 7,                     \
    long long: 8,                    \
    unsigned long long: 9,           \
    double: 10,                      \
    char *: 11,                      \
    const char *: 12,                \
    struct box *: 13,                \
    default: 0)

#define MIX(x) _Generic((x), long long: mix_wide, unsigned long long: mix_wide, default: mix)(x)

struct box { int content; };

static uint32_t hash = 233;
static short global_short = 4;
static unsigned char global_byte = 200;
static long long global_wide = 77;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void mix_wide(unsigned long long v)
{
    mix((uint32_t)v ^ 0xabcdu);
    mix((uint32_t)(v >> 32));
}

static int kinds(int n, const char *text)
{
    signed char s = (signed char)n;
    _Bool flag = n > 2;
    struct box b = { n };
    int total = 0;

    total = total * 3 + KIND(s);
    total = total * 3 + KIND(+s);
    total = total * 3 + KIND(flag);
    total = total * 3 + KIND(global_short);
    total = total * 3 + KIND(global_byte);
    total = total * 3 + KIND(global_byte + 1u);
    total = total * 3 + KIND(text);
    total = total * 3 + KIND(&b);
    total = total * 3 + KIND(b.content++);
    total = total * 3 + KIND(n ? global_wide : n);
    total = total * 3 + KIND((char)n);
    total = total * 3 + KIND(1.5f + 1.0);
    return total + b.content;
}

int main(void)
{
    unsigned u = 3000000000u;
    int k;

    for (k = 0; k < 5; k++) {
        int t = kinds(k, "text");
        printf("%d: %d\n", k, t);
        MIX(t);
        MIX(global_wide);
        MIX(u);
        MIX(global_wide + u);
        global_wide = global_wide * 1000 - k;
        u += (unsigned)k;
    }
    k = _Generic(k++, int: 5, default: 6) + k;
    MIX(k);
    printf("k %d\n", k);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
