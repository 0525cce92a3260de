/* Structures of several sizes passed and returned by value, members taken
   straight from call results, arrays inside returned structures.  Results of
   calls are no lvalues, and evaluating a call twice is visible. */
#include <stdint.h>
#include <stdio.h>

struct tiny { signed char c; };
struct fraction { int top, bottom; };
struct big { long long sum; int items[9]; unsigned short count; };

static uint32_t hash = 103;
static int built;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static struct tiny make_tiny(int n)
{
    struct tiny t = { (signed char)(n % 100) };
    built++;
    return t;
}

static struct fraction reduce(struct fraction f)
{
    int a = f.top < 0 ? -f.top : f.top, b = f.bottom;

    while (b) {
        int t = a % b;
        a = b;
        b = t;
    }
    f.top /= a;
    f.bottom /= a;
    return f;
}

static struct fraction add(struct fraction a, struct fraction b)
{
    return reduce((struct fraction){ a.top * b.bottom + b.top * a.bottom,
                                     a.bottom * b.bottom });
}

static struct big append(struct big b, int item)
{
    built++;
    if (b.count < 9) {
        b.items[b.count++] = item;
        b.sum += item;
    }
    return b;
}

static struct big merge(struct big a, struct big b, struct tiny t)
{
    int i;

    for (i = 0; i < b.count; i++)
        a = append(a, b.items[i] * t.c);
    b.sum = -1;
    return b.count > a.count ? b : a;
}

int main(void)
{
    struct big one = { 0 }, two = { 0 };
    struct fraction total = { 0, 1 };
    struct { struct fraction f; struct tiny t; } both;
    int k;

    for (k = 1; k < 8; k++) {
        total = add(total, (struct fraction){ k % 2 ? 1 : -1, k });
        one = append(one, k * k);
        if (k & 1)
            two = append(append(two, k), -k);
        mix((uint32_t)make_tiny(k * 33).c);
        mix((uint32_t)append(one, 500).sum);
        mix((uint32_t)append(two, k).items[0]);
        printf("%d: %d/%d, sum %d\n", k, total.top, total.bottom, (int)one.sum);
    }
    both.f = reduce(add(total, total));
    both.t = make_tiny(merge(one, two, make_tiny(3)).count);
    mix((uint32_t)(both.f.top + both.f.bottom * 10 + both.t.c));
    one = merge(two, one, both.t);
    for (k = 0; k < one.count; k++)
        mix((uint32_t)one.items[k]);
    printf("built %d, sum %d\n", built, (int)one.sum);
    mix((uint32_t)built);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
