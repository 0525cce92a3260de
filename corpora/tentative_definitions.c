/* Tentative definitions: the same object declared several times, completed
   later, arrays of unknown bound, statics declared before their initialiser.
   Adding an initialiser to the first one seen would define the object twice. */
#include <stdint.h>
#include <stdio.h>

int total;
int total;
static int limit;
extern int total;
static short table[6];
static const struct pair *chosen;
int series[];
unsigned long long wide, wide;

struct pair { int left; unsigned char right; };

static uint32_t hash = 41;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int accumulate(int n)
{
    int i;

    for (i = 0; i < n && total < limit; i++) {
        total += series[i % 5] + table[i % 6];
        wide = wide * 7u + (unsigned)total;
        table[i % 6]++;
    }
    return i;
}

static const struct pair pairs[3] = { { 4, 40 }, { 5, 50 }, { -6, 60 } };
static int limit = 300;
static short table[6] = { 1, 2, 3 };
int series[5] = { [1] = 11, [4] = 44 };
int total = 1;
static const struct pair *chosen = &pairs[1];
static int limit;

static int choose(int k)
{
    chosen = &pairs[k % 3];
    return chosen->left * chosen->right;
}

int main(void)
{
    int k;

    printf("start: total %d, limit %d, chosen %d\n", total, limit, chosen->left);
    for (k = 0; k < 12; k += 2) {
        int n = accumulate(k), c = choose(k);
        printf("%d steps, total %d, choice %d\n", n, total, c);
        mix((uint32_t)n);
        mix((uint32_t)c);
        mix((uint32_t)total);
    }
    for (k = 0; k < 6; k++)
        mix((uint32_t)table[k]);
    mix((uint32_t)(wide >> 16));
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
