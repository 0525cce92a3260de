/* Recursion some ten thousand calls deep with small frames, as a linear walk
   and as a flood fill.  Large temporaries inserted into such a function, or
   the loss of a tail call, can exhaust the stack. */
#include <stdint.h>
#include <stdio.h>

#define SIDE 40

static uint32_t hash = 257;
static unsigned char map[SIDE][SIDE];
static int parent[5000];
static int filled, max_depth;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static unsigned descend(int n, unsigned acc)
{
    short low = (short)(n & 255);

    if (n == 0)
        return acc;
    acc = descend(n - 1, acc * 3u + (unsigned)low);
    return acc ^ (unsigned)low;
}

static int tail(int n, int acc)
{
    if (n == 0)
        return acc;
    return tail(n - 1, (acc * 7 + n) % 10007);
}

static void flood(int r, int c, int depth)
{
    if (r < 0 || c < 0 || r >= SIDE || c >= SIDE || map[r][c] != 0)
        return;
    map[r][c] = 2;
    filled++;
    if (depth > max_depth)
        max_depth = depth;
    flood(r + 1, c, depth + 1);
    flood(r, c + 1, depth + 1);
    flood(r - 1, c, depth + 1);
    flood(r, c - 1, depth + 1);
}

static int find(int n)
{
    if (parent[n] == n)
        return n;
    return parent[n] = find(parent[n]);
}

int main(void)
{
    int r, c, k;

    mix(descend(10000, 1u));
    mix((uint32_t)tail(12000, 5));
    for (r = 0; r < SIDE; r++) {
        int gap = r % 8 == 1 ? 0 : SIDE - 1;
        for (c = 0; c < SIDE; c++)
            map[r][c] = r % 4 == 1 && c != gap;
    }
    flood(0, 0, 1);
    printf("filled %d, depth %d\n", filled, max_depth);
    mix((uint32_t)filled);
    mix((uint32_t)max_depth);
    for (k = 0; k < 5000; k++)
        parent[k] = k ? k - 1 : 0;
    mix((uint32_t)find(4999));
    for (k = 0; k < 5000; k += 500)
        mix((uint32_t)parent[k]);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
