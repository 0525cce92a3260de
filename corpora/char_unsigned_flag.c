/* mestra-flags: -funsigned-char -DOFFSET=200 -DNAME=flags */
/* Plain char made unsigned and macros defined by the flags.  Parsing without
   the flags gives another type to every char expression, and the file does
   not compile at all without the definitions. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#if CHAR_MIN < 0
#error "this program needs the flags in its first line"
#endif

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

static uint32_t hash = 181;
static char low = OFFSET, high = 255;
static const char bytes[] = { 128, 129, 250, OFFSET, 'z' };

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int sum(const char *p, int n)
{
    int total = 0;

    for (int i = 0; i < n; i++) {
        char c = p[i];
        if (c > 127)
            total += c;
        else
            total -= c;
    }
    return total;
}

static int count_up(void)
{
    int turns = 0;

    for (char c = OFFSET; c >= OFFSET; c++)
        turns++;
    return turns;
}

static char scale(char c, short by)
{
    return (char)(c * by / 16);
}

int main(void)
{
    const char *name = TEXT(NAME);
    int k;

    printf("%s: sum %d, turns %d\n", name, sum(bytes, 5), count_up());
    mix((uint32_t)sum(bytes, 5));
    mix((uint32_t)count_up());
    for (k = 0; name[k]; k++)
        mix((uint32_t)scale(name[k], (short)(k * 7)));
    for (k = 0; k < 5; k++) {
        high = (char)(high - bytes[k]);
        low = (char)(low >> 1 | bytes[k]);
        printf("%d %d\n", low, high);
        mix((uint32_t)(low * 256 + high));
    }
    mix((uint32_t)(low - high < 0));
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
