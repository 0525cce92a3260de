/* The program prints __LINE__ and the base name in __FILE__, fixed by line
   directives.  A mutator that adds line ends, or drops the directives, changes
   numbers that are part of the output. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 359;
static int failures, last_line;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void report(const char *file, int line, int ok)
{
    printf("%s:%d: %s\n", file, line, ok ? "ok" : "failed");
    while (*file)
        mix((unsigned char)*file++);
    mix((uint32_t)line);
    last_line = line;
    failures += !ok;
}

#define EXPECT(c) report(__FILE__, __LINE__, (c))

#line 100 "expectations.c"
static int halve(int n)
{
    EXPECT(n >= 0);
    if (n % 2)
        EXPECT(n > 1);
    else
        n += 2;
    return n / 2;
}

static int spread(int n)
{
    int lines = __LINE__, total = 0;

    for (int i = 0; i < n; i++) {
        total += i;
        EXPECT(total < 5); EXPECT(i < 3);
    }
    lines = __LINE__ - lines;
    return lines * 100 + total;
}

#line 900
int main(void)
{
    int k;
    unsigned char here = __LINE__ & 255;

    for (k = 0; k < 5; k++) {
        int h = halve(k), s = spread(k);
        mix((uint32_t)(h * 1000 + s));
        EXPECT(h < s);
    }
    mix(here);
    printf("failures %d, last line %d\n", failures, last_line);
    mix((uint32_t)failures);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
