/* Operations that would be undefined if run, each guarded by a test before
   it: null and end pointers, division by zero, overflow, large shifts, wrong
   indices.  Moving, repeating or unguarding any of them is a mutator's bug. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 157;
static int refused;
static const int *maybe[4];
static const int targets[2] = { 12, -34 };

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int divide(int a, int b)
{
    if (b == 0 || (a == INT_MIN && b == -1)) {
        refused++;
        return 0;
    }
    return a / b + a % b;
}

static int add(int a, int b)
{
    if ((b > 0 && a > INT_MAX - b) || (b < 0 && a < INT_MIN - b)) {
        refused++;
        return a < 0 ? INT_MIN : INT_MAX;
    }
    return a + b;
}

static int shift(int v, int by)
{
    return v >= 0 && by >= 0 && by < 31 && v <= INT_MAX >> by ? v << by : -1;
}

static int follow(int n)
{
    const int *p = n >= 0 && n < 4 ? maybe[n] : NULL;
    int r = -1;

    if (p && *p > 0)
        r = *p;
    else if (p != NULL)
        r = -*p;
    return r;
}

static int dead_branch(int n)
{
    int zero = n - n, *none = 0;
    int box[2] = { 3, 4 };

    if (zero) {
        *none = 5;
        n /= zero;
        box[n + 100] = 1;
    }
    for (int i = 9; i < 2; i++)
        box[i] = 0;
    while (none) {
        box[0] = *none;
    }
    return box[0] * n + box[1];
}

int main(void)
{
    static const int edge[] = { INT_MIN, -7, -1, 0, 1, 9, INT_MAX };
    int i, j;

    maybe[1] = &targets[0];
    maybe[3] = &targets[1];
    for (i = 0; i < 7; i++)
        for (j = 0; j < 7; j++) {
            mix((uint32_t)divide(edge[i], edge[j]));
            mix((uint32_t)add(edge[i], edge[j]));
            mix((uint32_t)shift(edge[i], edge[j]));
        }
    for (i = -2; i < 7; i++) {
        int f = follow(i), d = dead_branch(i);
        printf("%d: %d %d\n", i, f, d);
        mix((uint32_t)f);
        mix((uint32_t)d);
    }
    printf("refused %d\n", refused);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
