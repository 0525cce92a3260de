/* The GNU cleanup attribute runs a function whenever a variable goes out of
   scope, by whatever way: fall-through, return, break, goto.  New blocks and
   moved declarations change when, and in what order, that happens. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 277;
static int closed, order[32];

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void close_int(int *handle)
{
    order[closed++ % 32] = *handle;
    mix((uint32_t)*handle);
}

#define SCOPED __attribute__((cleanup(close_int)))

static int leave(int way)
{
    SCOPED int outer = way * 10;
    int result = 0;

    for (int i = 0; i < 4; i++) {
        SCOPED int inner = outer + i;
        if (way == 1 && i == 1)
            continue;
        if (way == 2 && i == 2)
            break;
        if (way == 3)
            return inner * 2;
        if (way == 4 && i == 3)
            goto out;
        result += inner;
    }
    {
        SCOPED int first = 7;
        SCOPED int second = 8;
        result += first * second;
        first = result;
    }
out:
    result += closed;
    outer++;
    return result;
}

static int value_before_cleanup(void)
{
    SCOPED int v = 5;

    v += closed;
    return v++;
}

int main(void)
{
    int k;

    for (k = 0; k < 5; k++) {
        int r = leave(k);
        printf("way %d: %d, closed %d\n", k, r, closed);
        mix((uint32_t)r);
    }
    mix((uint32_t)value_before_cleanup());
    for (k = 0; k < 32 && k < closed; k++)
        printf("%d ", order[k]);
    printf("\nchecksum = %08x\n", (unsigned)hash);
    return 0;
}
