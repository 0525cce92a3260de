/* Pragmas in bodies, among them loop pragmas that must stand directly before a
   loop and _Pragma inside macros.  A statement inserted between such a pragma
   and its loop is an error, and an added brace pair must not enclose it. */
#include <stdint.h>
#include <stdio.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

static uint32_t hash = 373;
static int data[16], touched;

#pragma pack(push, 2)
struct packed { char a; int b; short c; };
#pragma pack(pop)

#define QUIET(s) _Pragma("GCC diagnostic push") s; _Pragma("GCC diagnostic pop")
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll_count(2)")
#else
#define UNROLL _Pragma("GCC unroll 2")
#endif

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int unrolled(int n)
{
    int i, sum = 0;

#pragma GCC unroll 4
    for (i = 0; i < n; i++)
        sum += data[i];
#pragma GCC ivdep
    for (i = 0; i < n; i++)
        data[i] = data[i] * 3 % 101;
    i = n;
    UNROLL
    while (i > 0) {
        sum ^= data[--i];
        touched++;
    }
#pragma unknown to everyone
    if (n > 4)
        UNROLL
        for (i = 0; i < 3; i++)
            sum += i;
    else
        sum--;
    return sum;
}

static int between(int n)
{
    int r = n;
#pragma message_nobody_knows { if ( }
    if (r > 2)
#pragma unknown before a substatement
        r *= 2;
    QUIET(r += 3)
#pragma GCC diagnostic ignored "-Wunused-variable"
    {
        int spare;
        spare = r;
#pragma another unknown one
        r = spare - 1;
    }
    return r;
#pragma at the very end of a body
}

int main(void)
{
    struct packed p = { 1, 70000, 3 };
    int k;

    for (k = 0; k < 16; k++)
        data[k] = k * k;
    for (k = 0; k <= 16; k += 4) {
        int u = unrolled(k), b = between(k);
        p.b -= u;
        printf("%d: %d %d\n", k, u, b);
        mix((uint32_t)u);
        mix((uint32_t)b);
    }
    mix((uint32_t)(p.b + p.c));
    mix((uint32_t)sizeof p);
    mix((uint32_t)touched);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}

#pragma GCC diagnostic pop
