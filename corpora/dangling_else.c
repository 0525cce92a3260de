/* Unbraced if/else chains in which each else belongs to the nearest if.
   Putting an unbraced guard before any of these statements makes an else
   change its owner; adding two statements where one stood orphans it. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 555;
static int global_bias = 2;

static void mix(int v)
{
    hash = hash * 37u + (uint32_t)v;
}

static int nested(int a, int b, int c)
{
    int r = 0;

    if (a > 0)
        if (b > 0)
            if (c > 0)
                r = 1;
            else
                r = 2;
        else if (c > 0)
            r = 3;
        else
            r = 4;
    else if (b > 0)
        for (r = 10; r < 20; r += 4)
            if (c > 0) r++;
            else r += 2;
    else
        while (r < 5)
            if (c > 0)
                r += 3;
            else
                r += 4;
    return r + global_bias;
}

static int ladder(unsigned n)
{
    if (n < 10) return 1;
    else if (n < 100) return 2;
    else if (n < 1000) return 3;
    else
        if (n < 10000) return 4;
        else do n /= 10; while (n >= 10000);
    return n & 1 ? 50 : 60;
}

static void sign_of(int n, signed char *out)
{
    if (n)
        if (n > 0)
            *out = 1;
        else
            *out = -1;
    else
        *out = 0;

    if (n > 5)
        if (n > 50)
            *out = 3;
        else
            ;
    else
        if (n < -50) *out = -3;
}

int main(void)
{
    int a, b, c;
    unsigned n;
    signed char s;

    for (a = 0; a < 2; a++)
        for (b = 0; b < 2; b++)
            for (c = 0; c < 2; c++)
                if (a + b + c != 3)
                    mix(nested(a, b, c));
                else
                    printf("all set: %d\n", nested(a, b, c)), mix(-1);
    for (n = 1; n < 100000000u; n *= 7)
        mix(ladder(n));
    for (a = -60; a <= 60; a += 15) {
        sign_of(a, &s);
        printf("%d ", s);
        mix(s);
    }
    printf("\nchecksum = %08x\n", (unsigned)hash);
    return 0;
}
