/* Every shape of for header: missing parts, several declared variables,
   comma expressions, a struct or pointer declared in the header, an empty
   header.  The header declarations live in a scope of their own. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 31;
static int outer = 4;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int several(int n)
{
    int sum = 0;

    for (int i = 0, j = n; i < j; i++, j--)
        sum += i * j;
    for (unsigned char b = 250; b > 4; b++)
        sum++;
    for (long long big = 1, limit = 1LL << 40; big < limit; big *= 8)
        sum += 2;
    for (struct { int at; short weight; } s = { 0, 3 }; s.at < n; s.at += s.weight)
        sum += s.weight--, s.weight += 2;
    for (const char *p = "walk"; *p; ++p)
        sum += *p - 'a';
    for (int a[3] = { 1, 2, 3 }, k = 0; k < 3; k++)
        sum += a[k] * 10;
    return sum;
}

static int missing(int n)
{
    int i = 0, r = 0;

    for (; i < n; i++) r += 1;
    for (i = 0; i < n;) r += i++;
    for (;; i--) if (i < 0) break;
    for (i = 3; ;) { if (i-- == 0) break; r *= 2; }
    for (;;) { if (r > 10) break; r += 3; }
    for (i = 0; r--, i < 4; i++);
    for (; ; ) break;
    for (outer = n; outer--;) r ^= outer;
    return r * 8 + i;
}

static int side_effects(void)
{
    int x = 0, y = 10, z;

    for (x++, y--; x += 2, y -= 1, x < y; x--, z = y, y = z)
        mix((uint32_t)(x * 16 + y));
    for (z = 0; z < 3 ? 1 : z < 5; z++)
        continue;
    return x + y * 20 + z * 400;
}

int main(void)
{
    int k;

    for (k = 0; k < 7; k++) {
        int a = several(k), b = missing(k);
        printf("%d: %d %d (outer %d)\n", k, a, b, outer);
        mix((uint32_t)a);
        mix((uint32_t)b);
    }
    k = side_effects();
    printf("side effects %d\n", k);
    mix((uint32_t)k);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
