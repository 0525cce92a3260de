/* Do loops without braces, nested in each other and in if/else, and loops
   whose bodies are other unbraced statements.  The body of `do x; while (c);`
   must remain exactly one statement. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 1000003u;
static long long total;
static short pile[12];

static void mix(uint32_t v)
{
    hash = hash * 65599u + v;
}

static int digits(unsigned long long n)
{
    int count = 0;

    do count++; while ((n /= 10) != 0);
    return count;
}

static int nested_do(int n)
{
    int i = 0, j, work = 0;

    do
        do work += n; while (work % 7 != 0);
    while (++i < 3);

    if (work > 60)
        do work -= 9; while (work > 60);
    else
        do work += 11; while (work < 60);

    do if (work & 1) work += 3; else work /= 2; while (work > 10);

    do for (j = 0; j < 3; j++) work += j; while (work < 30);

    do while (work % 4) work--; while (work-- > 25);

    do switch (work % 3) { case 0: work += 5; break; default: work += 2; }
    while (work < 40);

    for (i = 0; i < 2; i++)
        for (j = 0; j < 2; j++)
            do total += i * j + work; while (total < 0);
    return work;
}

static void fill(int n)
{
    int at = 0;

    while (at < 12)
        if (at % 3 == 0)
            do pile[at] = (short)(n - at); while (++at % 3 == 0);
        else
            pile[at] = (short)(n * at), at++;
}

int main(void)
{
    unsigned long long n = 1;
    int k = 0;

    do mix((uint32_t)digits(n)), n *= 13; while (n < 1000000000000ULL);
    do {
        int r = nested_do(k + 1);
        fill(r);
        printf("%d -> %d\n", k, r);
        mix((uint32_t)r);
    } while (++k < 6);
    k = 0;
    do mix((uint32_t)pile[k]); while (++k < 12);
    mix((uint32_t)total);
    printf("total %lld\n", total);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
