/* Thread-local objects at file scope and in functions, in both spellings, in a
   program with one thread.  They are globals to the reader, but their address
   is no constant and the keyword's place in a declaration is fixed. */
#include <stdint.h>
#include <stdio.h>

_Thread_local int error_code = 3;
static __thread unsigned char ring[8];
static _Thread_local struct { short low; int high; } range = { 100, -100 };
extern __thread long long defined_below;

static uint32_t hash = 467;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int *error_place(void)
{
    return &error_code;
}

#define current_error (*error_place())

static int observe(int n)
{
    static _Thread_local int calls;
    static __thread int sums[3] = { 1, 2, 3 };

    calls++;
    sums[calls % 3] += n;
    if (n < range.low)
        range.low = (short)n;
    if (n > range.high)
        range.high = n;
    ring[calls & 7] = (unsigned char)n;
    defined_below = defined_below * 3 + n;
    if (n % 4 == 0)
        current_error = n;
    return sums[0] * 100 + sums[1] * 10 + sums[2];
}

__thread long long defined_below = -1;

int main(void)
{
    int k;

    for (k = -6; k < 12; k += 2) {
        int o = observe(k);
        printf("%d: %d, error %d\n", k, o, current_error);
        mix((uint32_t)o);
        mix((uint32_t)error_code);
    }
    for (k = 0; k < 8; k++)
        mix(ring[k]);
    printf("range %d to %d, below %lld\n", range.low, range.high, defined_below);
    mix((uint32_t)(range.low + range.high * 1000));
    mix((uint32_t)defined_below);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
