/* Blocks, parentheses and conditions nested far deeper than people write
   them.  Recursive walks over the tree need the depth, and each level here
   declares a variable of its own that stays visible below. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 523;
static int reached[20];

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int blocks(int n)
{
    int r = 0;

    { int a = n; { int b = a + 1; { int c = b + a; { int d = c * 2; {
    { short e = (short)(d - a); { unsigned f = (unsigned)e + 3u; { {
    { long long g = (long long)f * f; { { signed char h = (signed char)(g % 50);
    { { { if (h & 1) { { { while (a < 10) { { { { a += 3; r += h; } } } } } } }
    else { { { { r -= (int)f; { { { reached[1]++; } } } } } } } } } }
    r += a + b + c + d + e; } } } } } } } } } } } }
    return r;
}

static int conditions(int n)
{
    int d = 0;

    if (n > 0) { d++; if (n > 1) { d++; if (n > 2) { d++; if (n > 3) {
        d++; if (n > 4) { d++; if (n > 5) { d++; if (n > 6) { d++;
            for (int i = 0; i < 2; i++) { if (n > 7) { do { d++; switch (n) {
                case 8: { if (n) { while (d > 0) { reached[d % 20]++; break; } } } break;
                case 9: { { { d += 100; } } }
            } } while (d % 3); } }
        } else { reached[6]++; } } else { reached[5]++; } } else { reached[4]++; }
    } else { reached[3]++; } } else { reached[2]++; } } } else { reached[0]++; }
    return d;
}

static int parentheses(int n)
{
    return (((((((((((((((((((n + 1) * 2) - 3) ^ 4) + 5) * 6) & 0xffff) - 7) | 8) + 9) % 1000)
        * 3) - 1) >> 1) + 2) ^ 3) + 4) * 5) - 6) + ((((((((((n))))))))));
}

static int chain(int n)
{
    return n == 0 ? 1 : n == 1 ? 2 : n == 2 ? 4 : n == 3 ? 8 : n == 4 ? 16
        : n == 5 ? 32 : n == 6 ? 64 : n == 7 ? 128 : n == 8 ? 256 : -1;
}

int main(void)
{
    int k;

    for (k = 0; k < 11; k++) {
        int b = blocks(k), c = conditions(k), p = parentheses(k), h = chain(k);
        printf("%d: %d %d %d %d\n", k, b, c, p, h);
        mix((uint32_t)b);
        mix((uint32_t)c);
        mix((uint32_t)p);
        mix((uint32_t)h);
    }
    for (k = 0; k < 20; k++)
        mix((uint32_t)reached[k]);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
