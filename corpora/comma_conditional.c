/* Comma and conditional operators at length: as statements, nested, mixed
   types in the arms, void arms, the GNU form without a middle operand.  Each
   selects which side effects happen, though no statement boundary shows it. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 307;
static int left_calls, right_calls;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int left(int n)
{
    left_calls++;
    return n;
}

static int right(int n)
{
    right_calls++;
    return -n;
}

static void note_left(void) { left_calls += 10; }
static void note_right(void) { right_calls += 10; }

static int sequence(int n)
{
    int a = 1, b, c;

    a += n, b = a * 2, c = b - n;
    for (a = 0, b = n; a < b; a++, b--, c += a * b)
        ;
    if (c++, c % 2)
        c = (a++, b++, a + b);
    while (c -= 3, c > 5)
        n++;
    return (mix((uint32_t)c), a) + (b, n);
}

static int nested(int n)
{
    int r = n < 0 ? -1 : n == 0 ? 0 : n < 5 ? n % 2 ? 11 : 22 : n < 8 ? 33 : 44;

    n > 2 ? note_left() : note_right();
    n > 4 ? (void)(r += 100) : (void)0;
    *(n & 1 ? &left_calls : &right_calls) += 1;
    return r;
}

static long long arms(int n)
{
    unsigned u = 5;
    signed char c = -2;
    long long wide = 1LL << 35;

    return (n & 1 ? c : u) + (n & 2 ? wide : c) + (n & 4 ? 'x' : (short)n);
}

static int omitted(int n)
{
    int value = left(n) ?: right(40);
    const char *name = n > 6 ? "big" : 0;

    return value + (name ?: "none")[0];
}

int main(void)
{
    int k, x = 0;

    for (k = -1; k < 10; k++) {
        int s = sequence(k), n = nested(k), o = omitted(k);
        long long a = arms(k);
        printf("%d: %d %d %d %lld\n", k, s, n, o, a);
        mix((uint32_t)s), mix((uint32_t)n), mix((uint32_t)o);
        mix((uint32_t)a ^ (uint32_t)(a >> 32));
        x = k % 3 ? left(k) > 4 ? right(x) : (x++, x * 2) : left(x) + 1;
        mix((uint32_t)x);
    }
    printf("calls %d %d\n", left_calls, right_calls);
    mix((uint32_t)(left_calls * 256 + right_calls));
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
