/* Structures, unions, enums and typedefs declared inside functions and inner
   blocks, some with the same tag as an outer type.  A type named in one scope
   cannot be written in another, so helpers must not be hoisted. */
#include <stdint.h>
#include <stdio.h>

struct item { int weight; };
enum state { IDLE, BUSY };

static uint32_t hash = 67;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int packing(int n)
{
    struct item outer = { n };
    struct local { short a; struct item in; } l = { (short)(n + 1), { n * 2 } };
    int r = outer.weight + l.a + l.in.weight;

    {
        struct item { long long weight; unsigned char flag; } inner = { 1LL << 34, 9 };
        typedef struct item item;
        item copy = inner;
        copy.weight >>= n + 20;
        r += (int)copy.weight + copy.flag;
    }
    {
        struct item;
        struct item *none = 0;
        r += none == 0;
        struct item { int x, y; } pt = { 3, 4 };
        none = &pt;
        r += none->x * none->y;
    }
    return r;
}

static int states(int n)
{
    enum state { STOPPED = 10, RUNNING = 20, BUSY = 30 } s = STOPPED;
    int r = IDLE;

    while (n-- > 0) {
        enum { STEP = 1 << 3 };
        if (s == STOPPED)
            s = RUNNING;
        else if (s == RUNNING)
            s = BUSY;
        else
            s = STOPPED;
        r += (int)s + STEP;
    }
    return r;
}

static unsigned functions_of_local_type(unsigned seed)
{
    typedef unsigned transform(unsigned);
    typedef union { unsigned whole; unsigned char part[4]; } bytes;
    extern transform twist;
    transform *f = twist;
    bytes b;

    b.whole = f(seed);
    return b.part[0] + b.part[1] + b.part[2] + b.part[3] + (unsigned)sizeof(bytes);
}

unsigned twist(unsigned x)
{
    return x * 2654435769u ^ x >> 3;
}

int main(void)
{
    typedef struct { int got, want; } check;
    check list[3] = { { 0, 5 }, { 1, 6 }, { 2, 7 } };
    int k;

    for (k = 0; k < 8; k++) {
        int a = packing(k), b = states(k);
        unsigned c = functions_of_local_type((unsigned)k);
        printf("%d: %d %d %u\n", k, a, b, c);
        mix((uint32_t)a);
        mix((uint32_t)b);
        mix(c);
        list[k % 3].got += a % list[k % 3].want;
    }
    for (k = 0; k < 3; k++)
        mix((uint32_t)list[k].got);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
