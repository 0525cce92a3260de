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
    
    
}

static int after_return(int n)
{
    int r = n * 2;

    return r;
    
    
    
}

static int after_jumps(int n)
{
    int sum = 0, i;

    for (i = 0; i < n; i++) {
        if (i % 2 == 0) {
            sum += i;
            continue;
            
        }
        sum -= 1;
        if (sum > 8) {
            
            
        }
    }
    goto end;
    
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
        ;
    if (1) r += 5; else ;
    if (off && n > 2)
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
        
    case 5: ; r = -1; break;
    case 0: r ^= 1; break;
    case 1: r ^= 2; break;
        
    default: dead_hits++;
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
