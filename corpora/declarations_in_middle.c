/* Declarations between statements, several declarators in one declaration,
   declarations that use the variable just declared, and a declaration after
   a label's empty statement.  Wrapping one in a block would end its scope. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 11;
int global_counter = 3;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int triple(int *slot)
{
    *slot += 3;
    return *slot;
}

static int statistics(const short *v, int n)
{
    int low = v[0];
    int high = low, *extreme = &high, count = 0;
    for (int i = 1; i < n; i++)
        if (v[i] > *extreme)
            *extreme = v[i];
    extreme = &low;
    int range, i = 0;
    while (i < n) {
        if (v[i] < *extreme)
            *extreme = v[i];
        unsigned magnitude = (unsigned)(v[i] < 0 ? -v[i] : v[i]);
        count += (int)(magnitude & 1u);
        i++;
    }
    range = high - low;
    long long weighted = (long long)range * count;
    mix((uint32_t)weighted);
    struct pair { int a, b; } p = { range, count }, q = p;
    q.a -= p.b;
    p.b += q.a;
    return p.b * 3 + q.a;
}

static int dependent(int seed)
{
    int size = (int)sizeof size, x = seed + size;
    mix((uint32_t)x);
    int y = triple(&x), z = y + 1;
    if (z > 12)
        goto tail;
    y += z;
tail:;
    unsigned char small = (unsigned char)(x * 50), smaller = small / 2;
    typedef unsigned short half;
    half h = (half)(smaller + y);
    enum { FEW = 2, MANY = FEW * 50 } amount = h > 100 ? MANY : FEW;
    return (int)amount + h;
}

int main(void)
{
    short data[] = { 12, -7, 30, 5, -19, 8 };
    int first = statistics(data, 6);
    printf("statistics %d\n", first);
    mix((uint32_t)first);
    int k = global_counter;
    while (k-- > 0) {
        mix((uint32_t)k);
        int d = dependent(k * 4);
        mix((uint32_t)d);
        printf("dependent %d\n", d);
    }
    global_counter++;
    int last = global_counter + first;
    mix((uint32_t)last);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
