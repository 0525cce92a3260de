/* Locals and parameters named like library functions and file-scope objects
   named like usual helpers.  Inserted calls to printf, abort or exit would hit
   these variables, and invented names may already be taken. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 27;
static int tmp = 4, _tmp0 = 5, guard = 6, counter_0 = 7;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int busy(int printf, unsigned abort)
{
    int exit = printf * 2;
    short puts = (short)(abort % 100u);
    long long malloc = 1;

    for (int memset = 0; memset < printf; memset++) {
        unsigned char strlen = (unsigned char)(memset * 37);
        exit += strlen;
        malloc = malloc * 3 % 9973;
        if (exit > 300) {
            int tmp = exit / 2;
            exit = tmp;
            guard++;
        }
    }
    tmp += puts;
    _tmp0 ^= exit;
    return exit + puts + (int)malloc;
}

static int invented_like(int fprintf)
{
    struct { int stderr_count, assert; } free = { fprintf, 2 };
    int main = free.stderr_count * free.assert;

    if (main > 5)
        goto exit;
    main += 100;
exit:
    counter_0++;
    return main;
}

static int stdlib_as_label(int n)
{
    int time = 0;

abort:
    time += n;
    if (n-- > 0)
        goto abort;
    return time;
}

int main(void)
{
    int k;

    for (k = 0; k < 8; k++) {
        int a = busy(k, (unsigned)k * 77u), b = invented_like(k), c = stdlib_as_label(k);
        printf("%d: %d %d %d\n", k, a, b, c);
        mix((uint32_t)a);
        mix((uint32_t)b);
        mix((uint32_t)c);
    }
    mix((uint32_t)(tmp + _tmp0 + guard + counter_0));
    printf("%d %d %d %d\n", tmp, _tmp0, guard, counter_0);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
