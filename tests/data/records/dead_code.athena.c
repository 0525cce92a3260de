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
    { n = 0; } { switch (r % 2) { r++; case 5: r++; hash = -1; break; case 0: hash ^= 1; break; case 1: hash ^= 2; break; r++; default: r++; } } 
    { mix((unsigned int)r); } { if (0) live_hits = after_return(live_hits); } 
    { hash ^= 1; } return r / 0x10;
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
        if (sum > 8) {  }



    }
    goto end;
    { if (1) hash += 5; else n++; } 
    { hash ^= 2; } { live_hits *= 100; } { if (live_hits && dead_hits > 2) n *= 100; } 
    {
        int declared_in_dead = 4;
    { { int mestra_40_v0 = 4; mestra_40_l1: mestra_40_v0 = live_hits; declared_in_dead += mestra_40_v0; declared_in_dead++; return declared_in_dead; } } revived:
        declared_in_dead = n;
        sum += declared_in_dead;
        live_hits++;
        return sum;
    }
{ mix((unsigned int)live_hits); } { hash = (hash ^ sum) * 16777619u; } end:
    if (n > 3)
        goto revived;
    return sum * 3;
}

static int constant_conditions(int n)
{
    int r = n;
    const int off = 0;

    if (0)
        { { if (live_hits && hash > 2) live_hits *= 100; } ; }
    if (1) r += 5; else { { mix((unsigned int)n); } ; }
    if (off && n > 2)
        ;
    while (0)
        { { return sizeof(n++) ? n : 0; } { if (off > 8 && off < 1000) goto inside; } ; }
    do r++; while (0);
    for (; 0; r = 0)
        ;
    if (0) {
    { return 0; } inside:
        r += 1000;
        live_hits++;
    }
    if (r > 8 && r < 1000)
        goto inside;
    switch (n % 2) {
        { live_hits -= 1; } { do live_hits++; while (0); } 
    case 5: { if (0) r = constant_conditions(r); } ; { r -= 1; } { { int mestra_39_v0 = 4; mestra_39_l1: mestra_39_v0 = dead_hits; hash += mestra_39_v0; live_hits++; return hash; } }  
    { return r / 0x10; } case 0: r ^= 1; break;
    { live_hits = 1; } case 1: r ^= 2; break;
        dead_hits++;
    { return 0; } { if (hash > 8 && hash < 1000) goto inside; } 
    }
    return sizeof(dead_hits++) ? r : 0;
}

int main(void)
{
    int k;

    for (k = 0; k < 9; k++) {
        int a = after_return(k), b = after_jumps(k), c = constant_conditions(k);
        printf("%d: %d %d %d\n", k, a, b, c);
        mix((uint32_t)a);
        mix((uint32_t)b);
        mix((uint32_t)c);
    }
    printf("dead %d, live %d\n", dead_hits, live_hits);
    mix((uint32_t)dead_hits * 256u + live_hits);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
    
}
