/* Macros that expand to several statements, to declarations, to half a loop
   header or to whole functions.  All statements of one expansion share one
   place in the source, so nothing can be inserted between them. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 313;
static int swaps, steps;

#define MIX(v) hash ^= (uint32_t)(v); hash *= 16777619u;
#define SWAP(type, a, b) { type swap_ = a; a = b; b = swap_; swaps++; }
#define DECLARE_PAIR(name, x, y) int name##_x = (x); int name##_y = (y)
#define UPDATE(name, by) name##_x += by; name##_y -= by; steps++
#define FOR_EACH(i, n) for (int i = 0; i < (n); i++)
#define REVERSED(i, n) for (int i = (n); i-- > 0;)
#define UNLESS(c) if (!(c))
#define RETURN_IF(c, v) if (c) return v
#define DEFINE_ADDER(name, amount) \
    static int name(int n)         \
    {                              \
        int r = n + (amount);      \
        steps++;                   \
        return r;                  \
    }

DEFINE_ADDER(add_two, 2)
DEFINE_ADDER(add_many, 10 * 10 +
             3)

static int classify(int n)
{
    RETURN_IF(n < 0, -1);
    RETURN_IF(n == 0, 0);
    UNLESS (n > 100)
        return n > 10 ? 2 : 1;
    return 3;
}

static int sorting(short *v, int n)
{
    int before = swaps;

    FOR_EACH (i, n)
        REVERSED (j, n - 1)
            if (v[j] > v[j + 1])
                SWAP(short, v[j], v[j + 1])
    return swaps - before;
}

static int pairs(int n)
{
    DECLARE_PAIR(p, n, n * 2);
    DECLARE_PAIR(q, 7, -n);

    UPDATE(p, 3);
    UPDATE(q, p_x); UPDATE(p, q_y);
    FOR_EACH (i, 3) {
        UPDATE(p, i);
        MIX(p_x * 31 + q_y)
    }
    SWAP(int, p_x, q_y)
    return p_x + p_y * 3 + q_x * 5 + q_y * 7;
}

int main(void)
{
    short list[] = { 5, -2, 9, 0, 3, 3, -8 };
    int inputs[] = { -5, 0, 7, 50, 500 };

    printf("%d swaps\n", sorting(list, 7));
    FOR_EACH (k, 7) { MIX(list[k]) }
    FOR_EACH (k, 5) {
        int p = pairs(k), c = classify(inputs[k]);
        printf("%d: %d %d %d %d\n", k, p, c, add_two(k), add_many(k));
        MIX(p)
        MIX(c + 5);
    }
    MIX(steps) MIX(swaps)
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
