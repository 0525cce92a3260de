/* Jumps forward into the middle of blocks and loop bodies.  A mutator that
   wraps statements in new blocks or declares helpers at the head of a block
   must not assume that the head was ever executed. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 2166136261u;
static int entries;
static unsigned char trail[32];

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int enter_block(int mode, int value)
{
    int acc = value * 3;
    short steps = 0;

    if (mode == 1)
        goto inside_if;
    if (mode == 2)
        goto inside_loop;
    if (mode == 3)
        goto inside_else;

    if (value > 10) {
        acc += 100;
        steps++;
    inside_if:
        acc += 7;
        steps++;
        entries++;
    } else {
        acc -= 5;
    inside_else:
        acc -= 2;
        steps += 4;
    }

    while (acc < 60) {
        acc += 11;
        steps++;
    inside_loop:
        acc += 2;
        trail[entries % 32] = (unsigned char)acc;
        entries++;
    }
    return acc * 10 + steps;
}

static int enter_nested(int depth)
{
    int i = 0, j = 0, total = 0;

    if (depth > 0) {
        i = depth;
        j = depth / 2;
        goto middle;
    }
    for (i = 0; i < 4; i++) {
        total += i;
        for (j = 0; j < 3; j++) {
            total += 10;
        middle:
            total += i - j;
            mix((uint32_t)total);
        }
    }
    return total;
}

int main(void)
{
    int mode, value, k;

    for (mode = 0; mode < 4; mode++) {
        for (value = 4; value < 20; value += 7) {
            int r = enter_block(mode, value);
            printf("mode %d value %d -> %d\n", mode, value, r);
            mix((uint32_t)r);
        }
    }
    for (k = 0; k < 4; k++)
        mix((uint32_t)enter_nested(k));
    for (k = 0; k < 32; k++)
        mix(trail[k]);
    mix((uint32_t)entries);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
