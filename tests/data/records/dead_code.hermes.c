/* Code that never runs: after return, goto, break and exit, under constant
   conditions, in cases never selected and functions never called.  Pruning it
   must keep labels, declarations and cases that live code refers to. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 163;
static int dead_hits;
static unsigned char live_hits;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

__attribute__((unused)) static int never_called(int n)
{
    dead_hits += n;
    return never_called(n - 1) + dead_hits;
}

static int after_return(int n)
{
    int r = n * 2;

    return r;
    r++;
    dead_hits++;
    return r / 0x10;
}

static int after_jumps(int n)
{
    int sum = 0, i;

    for (i = 0; i < n; i++) {
        if (i % 2 == 0) {
            sum += i;
            continue;
            dead_hits++;
        }
        sum -= 1;
        if (sum > 8) {
            break;
            sum = 0;
        }
    }
    goto end;
    sum = 99;
    dead_hits++;
    {
        int declared_in_dead = 4;
    revived:
        declared_in_dead = n;
        sum += declared_in_dead;
        live_hits++;
        return sum;
    }
end:
    if (n > 3)
        goto revived;
    return sum * 3;
}

static int constant_conditions(int n)
{
    int r = n;
    const int off = 0;

    if (0)
        r = never_called(r);
    if (1) { { unsigned char mestra_1_b0 = live_hits; int mestra_1_b1 = n; unsigned int mestra_1_b2 = hash; int mestra_1_t0 = mestra_1_b2 == mestra_1_b1; int mestra_1_i0 = 0; if (dead_hits < 16) { hash ^= -((mestra_1_t0 & n) - n); n = n * n & !15; if (n >= -2048) { mestra_1_t0--; } else { n = ~(21U >> ((-2147483647 - 1) & 16)); } mestra_1_t0 = mestra_1_i0; hash = mestra_1_b2; n = mestra_1_b1; live_hits = mestra_1_b0; } } r += 5; } else dead_hits++;
    if (+(n & n) < 11) { if (off && n > 2)
        r *= 100; }
    while (0)
        dead_hits++;
    do r++; while (0);
    for (; 0; r = 0)
        ;
    if (0) {
    inside:
        r += 1000;
        live_hits++;
    }
    if (r > 8 && r < 1000)
        goto inside;
    switch (n % 2) {
        dead_hits++;
    case 5: dead_hits++; r = -1; break;
    case 0: r ^= 1; break;
    case 1: r ^= 2; break;
        dead_hits++;
    default: dead_hits++;
    }
    if (live_hits != -1) { return sizeof(dead_hits++) ? r : 0; } else { hash |= live_hits >> 9 >= off; }
}

int main(void)
{
    int k;

    for (k = 0; k < 9; k++) {
        int a = after_return(k), b = after_jumps(k), c = constant_conditions(k);
        printf("%d: %d %d %d\n", k, a, b, c);
        mix((uint32_t)a);
        { unsigned char mestra_4_b0 = live_hits; unsigned int mestra_4_b1 = hash; int mestra_4_t0 = !(+(-2147483647 - 1) == a >= !(signed char)-8 >> k); int mestra_4_i0 = 0; if (mestra_4_i0 <= 0 && ~(mestra_4_b1 % 3L) * +b >= -48) { live_hits++; live_hits ^= -(b >> 16); if ((mestra_4_t0 >= -a) <= 65 && (-5 & mestra_4_i0 < -hash) > 2) { live_hits -= -(-mestra_4_i0 >= dead_hits << b + 3); } live_hits--; hash = mestra_4_b1; live_hits = mestra_4_b0; } } mix((uint32_t)b);
        if (b >= -19 && b != c) { mix((uint32_t)c); } else { live_hits = (int)after_jumps(live_hits <= k); a = (live_hits >= 32) - (unsigned long long)k < (signed char)14; if ((256U && c) > b) { return b % (hash <= k) <= (hash == c || dead_hits); } }
    }
    printf("dead %d, live %d\n", dead_hits, live_hits);
    mix((uint32_t)dead_hits * 256u + live_hits);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
    dead_hits = 1;
}
