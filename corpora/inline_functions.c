/* Inline functions: static, GNU always_inline, and C99 inline with an extern
   declaration that makes it the external definition.  A plain C99 inline
   function must not refer to statics, so an inserted one is diagnosed. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 269;
int inline_calls;

static inline void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static inline int clamp(int v, int low, int high)
{
    if (v < low)
        return low;
    return v > high ? high : v;
}

__attribute__((always_inline)) static inline unsigned spread(unsigned char v)
{
    unsigned u = v;

    u = (u | u << 8) & 0x00ff00ffu;
    u = (u | u << 4) & 0x0f0f0f0fu;
    return u;
}

inline int twice(int v)
{
    inline_calls++;
    return v * 2;
}
extern int twice(int v);

static inline int early(const short *v, int n)
{
    for (int i = 0; i < n; i++) {
        if (v[i] == 0)
            return i;
        if (v[i] < 0)
            goto bad;
    }
    return n;
bad:
    return -1;
}

static inline int loop_in_inline(int n)
{
    int total = 0;

    while (n > 0) {
        total += clamp(n, 2, 5);
        n -= 2;
    }
    return total;
}

static inline int recursive(int n)
{
    return n <= 1 ? 1 : n * recursive(n - 1) % 1009;
}

int main(void)
{
    static const short list[] = { 4, 5, 0, 6, -1, 0 };
    int (*pointer)(int) = twice;
    int k;

    for (k = -3; k < 9; k++) {
        int c = clamp(k, 0, 5), t = twice(k) + pointer(c);
        printf("%d: %d %d %08x\n", k, c, t, spread((unsigned char)(k * 31)));
        mix((uint32_t)t);
        mix(spread((unsigned char)k));
        mix((uint32_t)loop_in_inline(k));
        mix((uint32_t)recursive(k));
    }
    for (k = 0; k < 6; k++)
        mix((uint32_t)early(list + k, 6 - k));
    mix((uint32_t)inline_calls);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
