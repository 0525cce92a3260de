/* Plain, signed and unsigned char side by side: sign extension, wrap-around,
   use as index and in comparisons.  A copy in a variable of another kind of
   char compares differently. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 179;
static char plain[6] = { 'a', '\200', '\377', 127, 0, -1 };
static signed char below = -128;
static unsigned char above = 255;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int compare(signed char s, unsigned char u)
{
    int r = 0;

    if (s == u)
        r |= 1;
    if ((unsigned char)s == u)
        r |= 2;
    if (s < u)
        r |= 4;
    if (s == (signed char)u)
        r |= 8;
    return r;
}

static int plain_is_signed(void)
{
    return CHAR_MIN < 0 ? (char)-1 < 0 : (char)-1 > 0;
}

static unsigned histogram(const char *s)
{
    unsigned char bins[256] = { 0 };
    unsigned i, h = 0;

    for (; *s; s++)
        bins[(unsigned char)*s]++;
    for (i = 0; i < 256u; i++)
        h = h * 3u + bins[i];
    return h;
}

static int wrap(int turns)
{
    unsigned char u = above;
    signed char s = below;
    char c = 'A';

    while (turns-- > 0) {
        u++;
        u = (unsigned char)(u + u / 2);
        if (s < 120)
            s += 5;
        c = (char)(c == 'Z' ? 'A' : c + 1);
    }
    return u * 10000 + s * 10 + c;
}

int main(void)
{
    int k;
    char c = 0;

    for (k = 0; k < 6; k++) {
        int as_byte = (unsigned char)plain[k];
        printf("%d ", as_byte);
        mix((uint32_t)as_byte);
        mix((uint32_t)compare((signed char)plain[k], (unsigned char)(k * 51)));
    }
    putchar('\n');
    mix((uint32_t)compare(below, 128));
    mix((uint32_t)plain_is_signed());
    mix(histogram("h\351llo w\366rld \200\377"));
    for (k = 0; k < 70; k += 7)
        mix((uint32_t)wrap(k));
    do
        mix((unsigned char)c);
    while (c++ < 100);
    above++;
    below = (signed char)(above - below - 2 - 127);
    printf("above %d, below %d, c %d\n", above, below, c);
    mix((uint32_t)below);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
