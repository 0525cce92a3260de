/* Variables and parameters declared register, whose address must not be
   taken, and the old auto keyword.  Saving a variable through a pointer or
   passing it by address to a helper is an error for these. */
#include <stdint.h>
#include <stdio.h>

struct triple { int a, b, c; };

static uint32_t hash = 463;
static int global_limit = 25;

static void mix(register uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int sum(register const short *p, register int n)
{
    register int total = 0;

    while (n-- > 0)
        total += *p++;
    return total;
}

static int structured(int n)
{
    register struct triple t = { n, n + 1, n + 2 };
    register unsigned char small = (unsigned char)(n * 60);
    auto int plain = 3;
    auto unsigned u = 7;

    t.b *= t.a;
    t.c -= small;
    if (t.c < 0) {
        register long long wide = t.c;
        wide = wide * wide + plain;
        t.a += (int)(wide % 1000);
    }
    u = u << (n & 7);
    return t.a + t.b + t.c + (int)u;
}

static int loops(void)
{
    register int i, j;
    int hits = 0;

    for (i = 0; i < global_limit; i++)
        for (j = i; j > 0; j /= 2)
            hits += j & 1;
    for (register int k = 0; k < 4; k++)
        hits ^= k;
    return hits;
}

int main(void)
{
    static const short list[] = { 5, -6, 700, 8, -90 };
    register int k;
    register int *pointer = &global_limit;

    for (k = 0; k < 6; k++) {
        int s = sum(list, k < 5 ? k : 5), t = structured(k), l = loops();
        printf("%d: %d %d %d\n", k, s, t, l);
        mix((uint32_t)s);
        mix((uint32_t)t);
        mix((uint32_t)l);
        *pointer += k;
    }
    mix((uint32_t)global_limit);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
