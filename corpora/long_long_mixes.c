/* Signed and unsigned types of 8 to 64 bits mixed in one expression, with
   conversions in both directions and constants of every suffix.  A temporary
   of a different width or signedness changes the results. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 173;
static unsigned long long wide = 0xfedcba9876543210ULL;
static long long deep = -9000000000000000000LL;
static unsigned plain = 4000000000u;
static int number = -3;
static unsigned short narrow = 65535;
static signed char tiny = -100;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void mix64(unsigned long long v)
{
    mix((uint32_t)v);
    mix((uint32_t)(v >> 32));
}

static int comparisons(void)
{
    int r = 0;

    r |= (number < plain) << 0;          /* -3 becomes large */
    r |= (number < (long long)plain) << 1;
    r |= (deep < wide) << 2;             /* deep becomes unsigned */
    r |= (tiny < narrow) << 3;           /* both become int */
    r |= (-1 > 0u) << 4;
    r |= (-1LL > 0u) << 5;
    r |= (-1 < (unsigned short)1) << 6;
    r |= ((unsigned char)tiny == 156) << 7;
    return r;
}

static long long polynomial(long long x)
{
    return ((x * 3 - 7) * x + 11) * x - 13;
}

static unsigned long long power_mod(unsigned long long base, unsigned e, unsigned m)
{
    unsigned long long result = 1;

    base %= m;
    for (; e; e >>= 1) {
        if (e & 1u)
            result = result * base % m;
        base = base * base % m;
    }
    return result;
}

int main(void)
{
    int k;

    printf("comparisons %x\n", (unsigned)comparisons());
    mix((uint32_t)comparisons());
    for (k = 0; k < 12; k++) {
        wide = wide * 6364136223846793005ULL + 1442695040888963407u;
        deep = deep / 7 + number * 1000000000LL;
        plain += narrow * 3u;
        number = number * -2 + tiny;
        narrow = (unsigned short)(narrow * 7u + plain);
        tiny = (signed char)((tiny + k * 5) % 100);
        mix64(wide ^ (unsigned long long)deep);
        mix64(plain + number * 1ULL);
        mix64((unsigned long long)(deep + plain));
        mix((uint32_t)(narrow * tiny));
        printf("%llx %lld %u %d %d %d\n", wide, deep, plain, number, narrow, tiny);
    }
    mix64((unsigned long long)polynomial(-100000));
    mix64(power_mod(wide, 65537u, 4294967291u));
    mix64((unsigned long long)(int)0x7fffffff + 0x80000000 + 017777777777LL);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
