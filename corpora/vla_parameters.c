/* Parameters of variably modified type, static array bounds, pointers to
   variable length arrays and typedefs of them.  The types depend on values at
   run time, so they cannot be spelled again elsewhere. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t hash = 131;
static int bound = 3;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static long long weigh(int rows, int columns, int m[rows][columns])
{
    long long sum = 0;
    int (*row)[columns] = m;
    int c;

    for (; row != m + rows; row++)
        for (c = 0; c < columns; c++)
            sum += (long long)(*row)[c] * (c + 1);
    return sum;
}

static int smallest(int n, const int v[static n])
{
    int i, best = v[0];

    for (i = 1; i < n; i++)
        if (v[i] < best)
            best = v[i];
    return best;
}

static void transpose(int n, int to[n][n], int from[n][n])
{
    int i, j;

    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            to[j][i] = from[i][j];
}

static int frozen_typedef(int n)
{
    typedef int line[n];
    int before = n;
    n = 50;
    line l;
    int i;

    for (i = 0; i < before; i++)
        l[i] = i + n;
    return (int)(sizeof(line) / sizeof(int)) + l[before - 1];
}

int main(void)
{
    int n, i, j;

    for (n = 2; n < 7; n++) {
        int a[n][n], b[n][n];
        int (*heap)[n + 1] = malloc(sizeof(int[2][n + 1]));
        if (!heap)
            exit(3);
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++)
                a[i][j] = i * 10 + j - n;
        transpose(n, b, a);
        for (i = 0; i < 2; i++)
            for (j = 0; j <= n; j++)
                heap[i][j] = bound++ % 5;
        printf("%d: %d %d %d %d\n", n, (int)weigh(n, n, a), (int)weigh(n, n, b),
               smallest(n, b[n - 1]), (int)weigh(2, n + 1, heap));
        mix((uint32_t)weigh(n, n, b));
        mix((uint32_t)weigh(2, n + 1, heap));
        mix((uint32_t)smallest(n, a[n / 2]));
        mix((uint32_t)frozen_typedef(n));
        free(heap);
    }
    mix((uint32_t)bound);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
