/* mestra-flags: -DROUNDS=6 */
/* mestra-run: 2 crlf */
/* mestra-run: 5 "two words" */
/* Every line ends in CR LF, also in directives, continued lines, comments and
   the lines above.  Offsets count the CR, inserted text should not leave a mix
   of line ends, and a directive must not keep the CR in its last word. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MIX(v)                          \
    do {                                \
        hash = (hash ^ (uint32_t)(v))   \
            * 16777619u;                \
    } while (0)

static uint32_t hash = 541;
static int turns;

static int fold(const char *s)
{
    int r = 0;

    for (; *s; s++)
        if (*s == '\r')
            r += 1000;  // must not happen
        else
            r = (r * 3 + *s % 16) % 10007;
    return r;
}

static int steps(int n)
{
    short left = (short)n;
    int total = 0;

    while (left > 0) {
        if (left % 3 == 0)
            left /= 3;
        else
            left--;
        turns++;
#if ROUNDS > 4
        total += left;
#else
        total -= left;
#endif
    }
    return total;
}

int main(int argc, char **argv)
{
    const char *text = "a string \
over two lines";
    int i, start = argc > 1 ? atoi(argv[1]) : 0;

    for (i = start; i < start + ROUNDS; i++) {
        int s = steps(i * 5);
        printf("%d: %d\n", i, s);
        MIX(s);
    }
    for (i = 2; i < argc; i++) {
        int f = fold(argv[i]);
        printf("[%s] %d\n", argv[i], f);
        MIX(f);
    }
    MIX(fold(text));
    MIX(turns);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
