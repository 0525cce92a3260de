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
{  }




static int after_return(int n)
{
    int r = n * 2;

    return r;
    
    { hash = 1; } dead_hits++;
    return r / 0x10;
}

static int after_jumps(int n)
{
    int sum = 0, i;

    for (i = 0; i < n; i++) {
        if (i % 2 == 0) {
            sum += i;
            continue;
            { n -= 1; } dead_hits++;
        }
        sum -= 1;
        if (sum > 8) {
            
            sum = 0;
        }
    }
    goto end;
    { return 0; } 
    
    {
        int declared_in_dead = 4;
    { do dead_hits++; while (0); } { while (0) i++; } revived:
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
    if (1) { if (!(+(-n >= live_hits / hash) <= 2) && !(dead_hits < -32)) { hash ^= 2; } if (hash >> !(unsigned short)0 < 79 || ~(n % hash & ~off) <= 4294967159U) { live_hits ^= constant_conditions(-4 ? off : dead_hits); hash = r; for (live_hits--; n % 12 + dead_hits; dead_hits = !dead_hits) { goto inside; constant_conditions(dead_hits || dead_hits); dead_hits = r; } } if (dead_hits == dead_hits && dead_hits != 2 && (hash <= hash && off <= live_hits)) { r += 5; } } else { { return n * 3; } dead_hits++; }
    if (dead_hits >= 2) { n = 0; } if (off >= 16 && off != hash == 2) { constant_conditions(n); goto inside; } if (!(hash == hash && (dead_hits <= n) >> (~hash * hash & 17) != -1024)) { return off / 0x10; } for (; off == 13U || r < off;) { r = 268435456; after_return(r | 2147483647); while (r ^ r ? off <= off : hash << live_hits) { while (n) { hash++; } } } if (off && n > 2)
        ;
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
        { return off * 3; } dead_hits++;
    { return 0; }  { if (1) r += 5; else live_hits++; } r = -1; break;
    case 0: r ^= 1; break;
    { if (n > 8) { break; n = 0; } } case 1: r ^= 2; break;
        { if (0) hash = constant_conditions(hash); } dead_hits++;
    
    }
    if (dead_hits == (unsigned short)28) { if (hash > 3) goto inside; } for (; hash <= 162U && -(n % (dead_hits + 1) >= n & live_hits) > 0;) { hash = after_return(r ? hash : off); } if (!(live_hits == -256 && off == r)) { return sizeof(dead_hits++) ? r : 0; } else { if (dead_hits) { for (live_hits = (char)(constant_conditions(+14ULL) == (hash ? r : (signed char)11)); hash; live_hits = (unsigned short)256 ? (signed char)-8 % n / live_hits : live_hits) { for (hash = ~((dead_hits <= 0U) <= (long)182867191); dead_hits % dead_hits; dead_hits = hash) { hash += hash << live_hits != n; } n = off == (long long)(live_hits + off); } } else { if (1) { goto inside; for (dead_hits = hash ^ off; live_hits >= (signed char)18 ^ !dead_hits; n = live_hits) { goto inside; } } else { do { return !(4 % n) == (r ? r : dead_hits != 21L); } while (-9223372036854775807L / (live_hits ? dead_hits : live_hits)); while (n) { constant_conditions(off); } } } dead_hits += hash % dead_hits << (off && live_hits); }
}

int main(void)
{
    int k;

    for (k = 0; k < 9; k++) {
        int a = after_return(k), b = after_jumps(k), c = constant_conditions(k);
        printf("%d: %d %d %d\n", k, a, b, c);
        mix((uint32_t)a);
        if (a <= 18 && dead_hits <= -2 && !(a >= a)) { return hash * 3; } if (a >= -32) { mix((uint32_t)b); }
        if (((signed char)11 >= a) > 1 && ((signed char)-128 & b) / c == -13) { k++; c = live_hits; for (c = 1; dead_hits; a += k) { live_hits = 2147483647; } } while (!(c < 3063)) { continue; c += (signed char)1 % dead_hits > live_hits; after_return(25U); } if (c > b) { mix((uint32_t)c); }
    }
    printf("dead %d, live %d\n", dead_hits, live_hits);
    mix((uint32_t)dead_hits * 256u + live_hits);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
    dead_hits = 1;
}
