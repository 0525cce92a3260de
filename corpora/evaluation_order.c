/* The order of f() and g() in `f() + g()` and in argument lists is open, and
   the globals they read inside differ by order, yet the output does not.  A
   mutator that freezes inner values seen in one run relies on that order. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 293;
static int clock_value;
static int order_seen;      /* differs between compilers; never printed */
static int first_total, second_total;
static unsigned char slots[4];

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

/* Inside, clock_value and order_seen depend on who was called first. */
static int f(int n)
{
    int now = clock_value;

    clock_value += 3;
    order_seen = order_seen * 2 % 1001;
    first_total += n;
    if (now > clock_value)
        first_total = -1;
    return n * 10;
}

static int g(int n)
{
    int now = clock_value;

    clock_value += 5;
    order_seen = (order_seen * 2 + 1) % 1001;
    second_total += n * 2;
    if (now > clock_value)
        second_total = -1;
    return n + 7;
}

static int *slot_pointer(int **p, int n)
{
    clock_value++;
    *p = &first_total;
    first_total += n;
    return *p;
}

static int three(int a, int b, int c)
{
    return a * 100 + b * 10 + c;
}

static int bump(int n)
{
    clock_value++;
    return ++slots[n & 3];
}

int main(void)
{
    int *p = 0, k;

    for (k = 0; k < 12; k++) {
        int s = f(k) + g(k);
        int t = three(f(k), g(1), g(k + 1));
        int d = f(g(k)) - g(f(k));
        int list[2] = { f(2), g(3) };

        if (g(0) * f(1) > 0)
            clock_value++;
        printf("%d: %d %d %d %d\n", k, s, t, d, list[0] + list[1]);
        mix((uint32_t)s);
        mix((uint32_t)t);
        mix((uint32_t)d);
        mix((uint32_t)clock_value);
    }
    for (k = 0; k < 8; k++)
        mix((uint32_t)(bump(k) * 3 + bump(k + 1) * 5));
    *slot_pointer(&p, 4) += 2;
    printf("totals %d %d, clock %d\n", first_total, second_total, clock_value);
    mix((uint32_t)(first_total * 3 + second_total));
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
