/* Variable argument functions: counts, sentinels, va_copy, a va_list passed
   on.  Arguments undergo the default promotions, and reading one more than was
   passed or keeping a va_list across calls is undefined. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 263;
static int calls;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int sum(int n, ...)
{
    va_list ap;
    int total = 0;

    calls++;
    va_start(ap, n);
    while (n-- > 0)
        total += va_arg(ap, int);
    va_end(ap);
    return total;
}

static unsigned vpack(const char *format, va_list ap)
{
    unsigned packed = 0;

    for (; *format; format++) {
        switch (*format) {
        case 'c': packed = packed * 31u + (unsigned)va_arg(ap, int); break;
        case 'i': packed = packed * 37u + (unsigned)va_arg(ap, int); break;
        case 'u': packed = packed * 41u + va_arg(ap, unsigned); break;
        case 'l': packed = packed * 43u + (unsigned)(va_arg(ap, long long) >> 3); break;
        case 'd': packed = packed * 47u + (unsigned)(int)(va_arg(ap, double) * 4); break;
        case 's': {
            const char *s = va_arg(ap, const char *);
            while (*s)
                packed = packed * 53u + (unsigned char)*s++;
            break;
        }
        case 'p':
            packed += (unsigned)*va_arg(ap, int *);
        }
    }
    return packed;
}

static unsigned pack_twice(const char *format, ...)
{
    va_list ap, again;
    unsigned first, second;

    calls++;
    va_start(ap, format);
    va_copy(again, ap);
    first = vpack(format, ap);
    va_end(ap);
    second = vpack(format, again);
    va_end(again);
    return first * 2u + second;
}

static int longest(const char *first, ...)
{
    va_list ap;
    const char *s;
    int best = 0;

    va_start(ap, first);
    for (s = first; s; s = va_arg(ap, const char *)) {
        int n = 0;
        while (s[n])
            n++;
        if (n > best)
            best = n;
    }
    va_end(ap);
    return best;
}

int main(void)
{
    signed char c = -7;
    short h = 1234;
    float f = 2.25f;
    int number = 99, k;

    printf("%d %d %d\n", sum(0), sum(1, 5), sum(6, 1, -2, (int)c, h, 'x', c > h));
    for (k = 0; k < 5; k++) {
        unsigned p = pack_twice("cildusp", c, k, (long long)k << 33, f * k, 7u, "word", &number);
        printf("%08x\n", p);
        mix(p);
        mix((uint32_t)sum(k, 10, 20, 30, 40));
        number -= k;
    }
    mix((uint32_t)longest("a", "three", "fourteen chars", "", (const char *)0));
    mix((uint32_t)calls);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
