/* GNU attributes on functions, variables, types, labels and statements: pure,
   const, noinline, unused, aligned, packed, may_alias, noreturn, cold.  Adding
   a counter to a pure or const function breaks its promise. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct __attribute__((packed)) packed { char tag; uint16_t value; uint8_t rest; };
struct padded { char tag; short value __attribute__((aligned(8))); } __attribute__((aligned(16)));
typedef unsigned word __attribute__((may_alias));

static uint32_t hash = 271;
static int table[4] __attribute__((aligned(16))) = { 2, 3, 5, 7 };
static int unneeded __attribute__((unused));

static void mix(uint32_t v) __attribute__((noinline));
static void finish(int code) __attribute__((noreturn, cold));
static int lookup(int n) __attribute__((pure));

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

__attribute__((const)) static int square(int n)
{
    return n * n;
}

static int lookup(int n)
{
    return table[n & 3];
}

__attribute__((nonnull(1), warn_unused_result))
static int first(const short *v, __attribute__((unused)) int ignored)
{
    return v[0];
}

static int __attribute__((noinline)) outlined(int a, int b)
{
    int spare __attribute__((unused)) = 5;

    if (__builtin_expect(a > b, 0))
        goto rare;
    return a * 2 + b;
rare: __attribute__((cold, unused));
    return a - b;
}

static int sum_words(const unsigned char *bytes, int n)
{
    const word *w = (const word *)(const void *)bytes;
    unsigned s = 0;

    while (n-- > 0)
        s = s * 5u + *w++;
    return (int)(s >> 4);
}

static void finish(int code)
{
    printf("checksum = %08x\n", (unsigned)hash);
    exit(code);
}

int main(void)
{
    static unsigned char raw[12] __attribute__((aligned(4))) = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    struct packed p = { 'p', 4660, 9 };
    struct padded q = { 'q', -2 };
    short list[1] = { 321 };
    int k;

    for (k = 0; k < 8; k++) {
        int r = lookup(k) + square(k) + lookup(k) + outlined(k, 4);
        p.value = (uint16_t)(p.value * 3u);
        p.rest--;
        q.value = (short)(q.value + p.rest);
        table[k & 3] += k;
        list[0] = (short)(list[0] - first(list, k) / 9);
        printf("%d: %d %d %d %d\n", k, r, p.value, q.value, list[0]);
        mix((uint32_t)r);
        mix(p.value);
    }
    mix((uint32_t)sum_words(raw, 3));
    mix((uint32_t)(q.value + p.tag + q.tag));
    finish(0);
}
