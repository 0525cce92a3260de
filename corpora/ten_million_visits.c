/* One statement is visited ten million times, and some variables there take
   ten million values.  Recording each visit at full cost, or with a counter of
   too few bits, makes such a point the measure of a profiler. */
#include <stdint.h>
#include <stdio.h>

#define VISITS 10000000

static uint32_t hash = 461;
static unsigned state = 1;
static int every_hundredth;
static unsigned char low_bits[4];

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int rare(int i)
{
    every_hundredth++;
    low_bits[i & 3]++;
    return i % 3;
}

int main(void)
{
    int i, seldom = 0;
    unsigned short wrapping = 0;

    for (i = 0; i < VISITS; i++) {
        state = state * 1664525u + 1013904223u;     /* the busy point */
        if (state < 42949672u) {
            seldom += rare(i);
            wrapping = (unsigned short)(wrapping + i);
        }
    }
    printf("i %d, hundredth %d, seldom %d\n", i, every_hundredth, seldom);
    mix(state);
    mix((uint32_t)every_hundredth);
    mix((uint32_t)seldom);
    mix(wrapping);
    for (i = 0; i < 4; i++)
        mix(low_bits[i]);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
