/* Macro arguments that are whole statements or blocks, some used twice and
   some dropped.  One piece of source text becomes several statements of the
   program, or none, and may even appear in different functions. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 337;
static int cost, dropped;

#define TWICE(s) s s
#define IGNORE(s)
#define WHEN(c, ...) if (c) { __VA_ARGS__ }
#define CHOOSE(c, yes, no) do { if (c) { yes } else { no } } while (0)
#define TIMES(n, body) do { int times_ = (n); while (times_-- > 0) body } while (0)
#define ID(...) __VA_ARGS__
#define BOTH(first, second, body) \
    static int first(int n) body  \
    static int second(int n) body

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

/* The same body becomes two functions with separate statics. */
BOTH(left, right, {
    static int calls;
    int r = n * 2;
    calls++;
    if (r > 6)
        r -= calls;
    for (int i = 0; i < 3; i++)
        r += i;
    return r;
})

static int work(int n)
{
    int a = 1;
    unsigned short b = 2;

    TWICE(a += n; b = (unsigned short)(b * 3);)
    IGNORE(a = 1000; dropped++; return -1;)
    WHEN(n > 2, int t = a; a = b; b = (unsigned short)t;)
    CHOOSE(n & 1,
           a++; b--;,
           a--;
           if (a > 10)
               b++;
           else
               b = 7;
    );
    TIMES(n, { cost++; a += 2; if (a > 60) break; })
    ;
    ID(
        for (int i = 0; i < 2; i++) {
            a ^= i;
            WHEN(i, b++;)
        }
        goto end;
    end:
        cost += 5;
    )
    return ID(a * 10 + b);
}

int main(void)
{
    int k;

    for (k = 0; k < 8; k++) ID({
        int w = work(k);
        printf("%d: %d %d %d\n", k, w, left(k), right(k + 2));
        mix((uint32_t)w);
        TWICE(mix((uint32_t)left(k));)
        WHEN(k % 3 == 0, mix((uint32_t)right(k)); continue;)
        mix(ID(77));
    })
    printf("cost %d, dropped %d\n", cost, dropped);
    mix((uint32_t)(cost * 3 + dropped));
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
