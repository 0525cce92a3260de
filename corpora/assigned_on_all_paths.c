/* Variables without initialiser that every path assigns before the read: by
   if/else, by all switch cases, by a loop that runs at least once, through a
   pointer.  Reading them one statement earlier is undefined. */
#include <stdint.h>
#include <stdio.h>

struct range { int low, high; };

static uint32_t hash = 47;
static int mode;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int by_branch(int n)
{
    int sign, size;
    unsigned char tag;

    if (n < 0) {
        sign = -1;
        size = -n;
        tag = 'n';
    } else if (n == 0) {
        sign = 0, size = 0;
        tag = 'z';
    } else {
        size = n;
        sign = 1;
        tag = 'p';
    }
    return sign * 1000 + size * 2 + tag;
}

static int by_switch(unsigned n)
{
    long long factor;
    short shift;

    switch (n % 4u) {
    case 0: factor = 3; shift = 1; break;
    case 1: factor = -3; shift = 2; break;
    case 2: factor = 50000000000LL; shift = 20; break;
    default: shift = 0; factor = shift; break;
    }
    return (int)(factor / (1 << shift));
}

static int by_loop(const int *v, int n)
{
    int last, where, i = 0;

    do {
        last = v[i];
        where = i++;
    } while (i < n && last != 0);
    return last * 10 + where;
}

static void set_range(struct range *r, int a, int b)
{
    r->low = a < b ? a : b;
    r->high = a < b ? b : a;
}

static int by_call(int a, int b)
{
    struct range r;
    int width, extra;

    set_range(&r, a, b);
    if ((width = r.high - r.low) > 4 && (extra = width - 4) > mode)
        return extra;
    /* Here `extra` may still have no value. */
    extra = width + 100;
    return extra;
}

int main(void)
{
    static const int list[] = { 4, 9, 2, 0, 6 };
    int k, outcome;

    for (k = -3; k <= 3; k++) {
        int *target;
        if (k & 1)
            target = &outcome;
        else
            target = &mode;
        outcome = k;
        *target = by_branch(k);
        mix((uint32_t)outcome);
        mix((uint32_t)mode);
        printf("%d: %d %d\n", k, outcome, mode);
        mode %= 5;
    }
    for (k = 0; k < 8; k++) {
        mix((uint32_t)by_switch((unsigned)k));
        mix((uint32_t)by_call(k * 3, 10));
    }
    for (k = 1; k < 6; k++)
        mix((uint32_t)by_loop(list, k));
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
