/* Designated initialisers: out of order, overriding one another, nested paths,
   GNU index ranges, and initialisers with calls in them.  The braces hold no
   statements although they look like blocks. */
#include <stdint.h>
#include <stdio.h>

enum unit { METRE, SECOND, GRAM, UNITS };

struct limits { int low, high; unsigned char flags[4]; };
struct config {
    const char *name;
    struct limits limits[UNITS];
    union { int id; short halves[2]; } u;
    unsigned mode : 3;
};

static uint32_t hash = 223;
static int calls;
static const int primes[12] = { [3] = 7, 11, 13, [0] = 2, 3, 5, [10] = 31 };
static const unsigned char classes[64] = { [0 ... 9] = 1, [20 ... 29] = 2, [25] = 9 };
static const struct config defaults = {
    .mode = 5,
    .u = { .halves = { [1] = 3, [0] = 4 } },
    .limits[SECOND].high = 60,
    .limits[METRE] = { .flags = { [2] = 8, 9 }, .low = -10, .high = 10 },
    .limits[GRAM].flags[1] = 77,
    .name = "defaults",
};
static const char *const names[] = { [GRAM] = "gram", [METRE] = "metre", [SECOND] = "second" };

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int next(void)
{
    return ++calls * 3;
}

static void mix_config(const struct config *c)
{
    int i, j;

    for (i = 0; i < UNITS; i++) {
        mix((uint32_t)(c->limits[i].low * 7 + c->limits[i].high));
        for (j = 0; j < 4; j++)
            mix(c->limits[i].flags[j]);
    }
    mix(c->mode);
}

int main(void)
{
    int k;

    for (k = 0; k < 12; k++)
        mix((uint32_t)primes[k]);
    for (k = 0; k < 64; k++)
        mix(classes[k]);
    mix_config(&defaults);
    for (k = 0; k < UNITS; k++) {
        struct config c = {
            .name = names[k],
            .limits = { [0] = { .high = k }, [1 ... 2] = { .low = k, .flags = { 1, [3] = 2 } } },
            .u.id = defaults.u.halves[0] + k,
            .mode = (unsigned)k + 2u,
        };
        int list[] = { [4] = k, [1] = next(), [6] = -k };
        struct limits one = { .low = next(), .flags[0] = (unsigned char)list[1] };

        printf("%s: id %d, list of %d, low %d\n", c.name, c.u.id,
               (int)(sizeof list / sizeof list[0]), one.low);
        mix_config(&c);
        mix((uint32_t)(list[0] + list[1] * 10 + list[4] * 100 + list[6] * 1000));
        mix(one.flags[0]);
    }
    mix((uint32_t)calls);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
