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
                { { int mestra_1_b0 = b; unsigned int mestra_1_b1 = hash; int mestra_1_b2 = global_bias; int mestra_1_b3 = c; unsigned int mestra_1_t0 = -(~(unsigned short)13 & a <= a); if (mestra_1_b1 <= 3053660894U) { mestra_1_t0 -= !r; if (mestra_1_b2 + r == -1 || global_bias == -2046) { global_bias = +mestra_1_t0 / (mestra_1_b1 <= (18446744073709551615ULL | hash)); global_bias ^= -(mestra_1_b3 - (a >> (unsigned short)0)); hash = ~mestra_1_b2; } if (!(b == 1)) { { extern void abort(void); abort(); } } if (hash >= a) { if (!(hash == 3053660894U)) { { extern void abort(void); abort(); } } } if (!(global_bias == 2)) { { extern void abort(void); abort(); } } if (!(c == 0)) { { extern void abort(void); abort(); } } if (!(mestra_1_t0 == 4294967295U)) { { extern void abort(void); abort(); } } c = mestra_1_b3; global_bias = mestra_1_b2; hash = mestra_1_b1; b = mestra_1_b0; } } r = 2; }
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
    if (n <= global_bias) { hash = hash >> 6 ? n : 21L << n == n; } return n & 1 ? 50 : 60;
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
        { if (global_bias <= n && n / global_bias <= -249) { for (out[hash] = (_Bool)1 == 1; -(*out | hash); global_bias = (signed char)(*out << global_bias) < ladder((long long)23U)) { switch (*out) { case 0:; nested(n ? global_bias : out[1], global_bias / 4, global_bias); default:; if ((n != *out) >> (out[0] << global_bias)) { mix(16L); } } hash = n > out[1] % 15 + (unsigned long)n; } switch (global_bias ^ *out) { case 2:; return; break; default:; switch (global_bias ^ n) { case 2:; switch (n) { case 0:; global_bias += *out; break; default:; mix(n); } case 4:; hash *= *out * hash - -5; default:; return; } } } if (n > 50)
            *out = 3;
        else
            ; }
    else
        if (n < -50) { if ((-9223372036854775807L - 1L) != -9223372036854774784L || hash == 13U) { *out = -3; } }
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
