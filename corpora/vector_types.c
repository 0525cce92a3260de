/* GNU vector types: element-wise arithmetic, comparison, indexing, shuffles of
   whole vectors by assignment.  They look like integers in expressions, but
   cannot be compared to zero, cast to int or used as a condition. */
#include <stdint.h>
#include <stdio.h>

typedef int32_t four __attribute__((vector_size(16)));
typedef uint8_t sixteen __attribute__((vector_size(16)));

union view { four v; int32_t lane[4]; };

static uint32_t hash = 487;
static four accumulated;
static int32_t lanes_used;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void mix_four(const four *v)
{
    int i;

    for (i = 0; i < 4; i++)
        mix((uint32_t)(*v)[i]);
}

static void step(four *v, int by)
{
    four ones = { 1, 1, 1, 1 }, scaled = ones * by;
    four mask = *v > scaled;

    *v = (*v & mask) + scaled - (*v >> 2);
    accumulated += *v;
    (*v)[by & 3] = by;
    lanes_used++;
}

static int horizontal(const four *v)
{
    union view w;
    int i, sum = 0;

    w.v = *v * (four){ 1, 10, 100, 1000 };
    for (i = 0; i < 4; i++)
        sum += w.lane[i] % 997;
    return sum;
}

int main(void)
{
    four v = { 3, -1, 4, 15 }, w = -v, swap;
    sixteen bytes = { 0 };
    int k;

    for (k = 0; k < 9; k++) {
        step(&v, k);
        if (k % 3 == 0) {
            swap = v;
            v = w;
            w = swap;
        }
        bytes = bytes * 3 + (uint8_t)k;
        bytes[k] ^= 0x80;
        printf("%d: %d %d\n", k, horizontal(&v), (int)v[k & 3]);
        mix_four(&v);
    }
    mix_four(&w);
    mix_four(&accumulated);
    for (k = 0; k < 16; k++)
        mix(bytes[k]);
    mix((uint32_t)lanes_used);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
