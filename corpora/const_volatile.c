/* Const, volatile and both at once, on objects, fields, pointers and pointed-to
   types.  Volatile reads are observable and their count is fixed; const objects
   must never be chosen as something to write to and write back. */
#include <stdint.h>
#include <stdio.h>

struct port { volatile unsigned status; const int id; unsigned char data; };

static uint32_t hash = 61;
static volatile int ticks;
static const volatile int rate = 3;
static const int steps[4] = { 1, -2, 4, -8 };
const char *const names[] = { "alpha", "beta" };
static volatile unsigned char log_ring[4];

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int spin(volatile int *clock, const int *until)
{
    int turns = 0;

    while (*clock < *until) {
        *clock += rate;
        turns++;
    }
    return turns;
}

static unsigned drive(struct port *p, int n)
{
    volatile unsigned local = 5;
    int i;

    for (i = 0; i < n; i++) {
        p->status = p->status * 2u + (unsigned)(steps[i & 3] < 0);
        if (p->status & 4u)
            local++;
        p->data = (unsigned char)(p->data + local);
        log_ring[i & 3] = p->data;
    }
    return local * 100u + (unsigned)p->id;
}

static int sum_const(const short *const v, const unsigned n)
{
    const short *at = v;
    const short *const end = v + n;
    int s = 0;

    for (; at != end; ++at)
        s += *at;
    return s;
}

static int through(int *const *cell)
{
    **cell += 5;
    return **cell;
}

int main(void)
{
    const int goal = 20;
    static const short shorts[] = { 5, 6, -7, 800 };
    struct port p = { 1, 42, 0 };
    int plain = 2, *pointer = &plain, k, turns;
    volatile long long wide = 1;

    turns = spin(&ticks, &goal);
    printf("turns %d, ticks %d\n", turns, (int)ticks);
    mix((uint32_t)ticks);
    for (k = 0; k < 6; k++) {
        unsigned d = drive(&p, k);
        wide = wide * 11 - k;
        mix(d);
        mix((uint32_t)through(&pointer));
    }
    for (k = 0; k < 4; k++)
        mix(log_ring[k]);
    mix((uint32_t)sum_const(shorts, 4));
    mix((unsigned char)names[1][2]);
    mix((uint32_t)wide);
    printf("plain %d, wide %d, data %d\n", plain, (int)wide, p.data);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
