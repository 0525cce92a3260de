/* The default label stands first, in the middle, shares a statement with a
   case, or is missing.  A mutator that treats default as the last label puts
   its code on the wrong path. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 7;
static long calls;

static void mix(int v)
{
    hash = hash * 2654435761u + (uint32_t)v;
}

static int default_first(int n)
{
    int r = 1;

    switch (n) {
    default:
        r = 100;
    case 1:
        r += 10;
        break;
    case 2:
        r += 20;
    }
    return r;
}

static int default_middle(unsigned n)
{
    int r = 0;
    short seen = 0;

    switch (n) {
    case 0:
        r = 5;
        seen |= 1;
    case 10:
        r += 6;
        seen |= 2;
    default:
        r *= 3;
        seen |= 4;
        if (n > 50)
            break;
    case 20:
        r -= 1;
        seen |= 8;
        break;
    case 30:
        r = -4;
    }
    return r * 16 + seen;
}

static int default_shared(char c)
{
    switch (c) {
    case 'x': default: case 'y':
        calls++;
        return 3;
    case 'z':
        return 9;
    }
}

static int no_default(long long big)
{
    int r = 77;

    switch (big) {
    case 5000000000LL: r = 5; break;
    case -5000000000LL: r = -5; break;
    case 705032704LL: r = 70; break; /* 5000000000 modulo 2 to the 32 */
    }
    return r;
}

int main(void)
{
    static const long long bigs[] = { 5000000000LL, -5000000000LL, 705032704LL, 0 };
    int i;

    for (i = 0; i < 4; i++) {
        int a = default_first(i), b = no_default(bigs[i]);
        printf("%d: first %d, none %d\n", i, a, b);
        mix(a);
        mix(b);
    }
    for (i = 0; i <= 60; i += 10) {
        int m = default_middle((unsigned)i);
        printf("%d: middle %d\n", i, m);
        mix(m);
    }
    for (i = 'w'; i <= 'z'; i++)
        mix(default_shared((char)i));
    mix((int)calls);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
