/* mestra-flags: -DFEATURE_LEVEL=2 -DWITH_LIMIT -UWITHOUT */
/* Conditional directives inside bodies: alternative statement heads that share
   one tail, branches that are not even balanced C, nested conditions.  Text in
   the branches not taken is no code and must be left as it is. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 367;
static int counted;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int shared_tail(int n, int m)
{
    int r = 0;

#if FEATURE_LEVEL > 2
    if (n > m && n < 100) {
#elif FEATURE_LEVEL == 2
    if (n > m) {
#else
    {
#endif
        r += n;
#ifdef WITH_LIMIT
        if (r > 10)
            r = 10;
        else
#endif
            r += 1;
    }
    return r;
}

static
#ifdef WITHOUT
void nothing(void)
#else
int loop(int n)
#endif
{
    int total = 0;
#if 0
    this is no C at all: { ( ; #else-like "text"
    if (n) {
#endif
#ifndef WITHOUT
    for (int i = 0; i < n; i++)
#else
    while (1)
#endif
    {
        total += i * FEATURE_LEVEL;
#if defined(WITH_LIMIT) && !defined(WITHOUT)
# if FEATURE_LEVEL
        if (total > 30) break;
# else
        if (total > 60) break;
# endif
#endif
        counted++;
    }
    return total;
}

static int selected(int n)
{
    switch (n) {
#ifdef WITHOUT
    case 0: return 100;
#endif
    case 1:
#if FEATURE_LEVEL >= 2
    case 2:
#endif
        return 200;
    default:
        return n
#ifdef WITH_LIMIT
            % 7
#endif
            + 1;
    }
}

int main(void)
{
    for (int k = 0; k < 12; k++) {
        int a = shared_tail(k, 4), b = loop(k), c = selected(k);
        printf("%d: %d %d %d\n", k, a, b, c);
        mix((uint32_t)a);
        mix((uint32_t)b);
        mix((uint32_t)c);
    }
    mix((uint32_t)counted);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
