/* Multi-level loops of all three kinds with break and continue at each level.
   The increment of a for and the condition of a do run after continue, so a
   rewritten loop must keep both on the continue path. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 2166136261u;
static int visits[4];

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int primes_below(int limit)
{
    int n, d, found = 0;

    for (n = 2; n < limit; n++) {
        for (d = 2; d * d <= n; d++) {
            visits[0]++;
            if (n % d)
                continue;
            break;
        }
        if (d * d <= n)
            continue;
        found++;
        mix((uint32_t)n);
    }
    return found;
}

static int triangle(int side)
{
    int i = 0, total = 0;

    while (1) {
        int j = 0;
        do {
            int k;
            visits[1]++;
            if (j == i)
                break;
            if ((i + j) % 3 == 0)
                continue;
            for (k = 0;; k += 2) {
                visits[2]++;
                if (k < j) continue;
                if (k > side) break;
                total += k - j;
                if (total % 7 == 0) break;
            }
            total++;
        } while (++j < side);
        if (++i < side)
            continue;
        break;
    }
    return total;
}

static unsigned search(const unsigned char *bytes, unsigned n)
{
    unsigned left, right, best = 0;

    for (left = 0; left < n; left++) {
        unsigned char seen[16] = { 0 };
        for (right = left; right < n; right++) {
            unsigned char b = bytes[right] & 15;
            visits[3]++;
            if (seen[b])
                break;
            seen[b] = 1;
        }
        if (right - left <= best)
            continue;
        best = right - left;
    }
    return best;
}

int main(void)
{
    unsigned char data[50];
    unsigned x = 12345;
    int i, p, t;
    unsigned s;

    for (i = 0; i < 50; i++) {
        x = x * 1103515245u + 12345u;
        data[i] = (unsigned char)(x >> 16);
    }
    p = primes_below(200);
    t = triangle(9);
    s = search(data, 50);
    printf("primes %d, triangle %d, longest run %u\n", p, t, s);
    for (i = 0; i < 4; i++) {
        printf("visits[%d] = %d\n", i, visits[i]);
        mix((uint32_t)visits[i]);
    }
    mix((uint32_t)t);
    mix(s);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
