/* Loop variables that hide parameters, locals and each other, and a loop body
   that hides the loop variable itself.  A mutator that reads `i` must know
   which of the objects of that name is visible at the point. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 19;
static int i = 700;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int global_i(void)
{
    return i++;
}

static int sums(int i, int n)
{
    int total = i;

    for (int i = 0; i < n; i++) {
        total += i;
        for (unsigned i = 5; i > 2; i--)
            total += (int)i * 10;
        total ^= i;
    }
    for (long long i = n, n = 1; n < 50; n += i + 1)
        total += (int)n;
    return total + i;
}

static int hidden_by_body(int n)
{
    int total = 0;

    for (int i = 0; i < n; i++) {
        int i = total + 1;
        total += i % 4;
        {
            char i = 'c';
            total += i - 'a';
        }
    }
    while (n > 0) {
        short n_left = (short)n;
        for (int n = n_left; n > 0; n /= 2)
            total++;
        n--;
    }
    return total;
}

static int condition_scope(int x)
{
    int r = 0;

    if (x > 2) {
        int x = 40;
        r += x;
    } else {
        int x = -40;
        r -= x;
    }
    for (int x = 0, step = 1; x < 12; x += step++)
        r += x;
    do {
        int x = r & 3;
        r -= x + 1;
    } while (r > x);
    return r;
}

int main(void)
{
    for (int i = 0; i < 5; i++) {
        int a = sums(i, i + 2), b = hidden_by_body(i), c = condition_scope(i);
        printf("%d: %d %d %d\n", i, a, b, c);
        mix((uint32_t)a);
        mix((uint32_t)b);
        mix((uint32_t)c);
        mix((uint32_t)global_i());
    }
    mix((uint32_t)i);
    printf("global i %d\n", i);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
