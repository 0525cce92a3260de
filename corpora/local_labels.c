/* GNU __label__ declarations: labels local to a block, needed by macros that
   expand to gotos.  The declarations must stay first in their block, so no
   statement or declaration may be inserted before them. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 3u;
static int probes;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

/* Stores the index of the first match, or -1; used twice in one function. */
#define FIND(out, array, n, wanted)                  \
    do {                                             \
        __label__ found, end;                        \
        int at_;                                     \
        for (at_ = 0; at_ < (n); at_++) {            \
            probes++;                                \
            if ((array)[at_] == (wanted))            \
                goto found;                          \
        }                                            \
        (out) = -1;                                  \
        goto end;                                    \
    found:                                           \
        (out) = at_;                                 \
    end:;                                            \
    } while (0)

static int locate(const int *v, int n, int a, int b)
{
    int first, second;

    FIND(first, v, n, a);
    FIND(second, v, n, b);
    return first * 100 + second;
}

static int same_name_twice(int n)
{
    int r = 0;

    {
        __label__ again, out;
        int left = n;
    again:
        if (left == 0)
            goto out;
        r += left--;
        goto again;
    out:
        r *= 2;
    }
    {
        __label__ again;
        short right = 3;
    again:
        r += right;
        if (--right > 0)
            goto again;
    }
    return r;
}

int main(void)
{
    static const int values[] = { 4, 8, 15, 16, 23, 42 };
    int k;

    for (k = 0; k < 45; k += 4) {
        int r = locate(values, 6, k, k + 7);
        printf("%d: %d\n", k, r);
        mix((uint32_t)r);
    }
    for (k = 0; k < 6; k++)
        mix((uint32_t)same_name_twice(k));
    mix((uint32_t)probes);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
