/* Walking arrays by pointer in both directions, one-past-the-end pointers,
   differences, comparisons and negative indices.  The end pointer is in scope
   and valid but must never be followed. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 139;
static short samples[12];
static char text[] = "pointer arithmetic";

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int sum_between(const short *from, const short *to)
{
    int sum = 0;

    while (from < to)
        sum += *from++;
    return sum;
}

static void reverse(char *first, char *last)
{
    while (first < --last) {
        char t = *first;
        *first++ = *last;
        *last = t;
    }
}

static ptrdiff_t position(const char *s, char wanted)
{
    const char *p = s;

    while (*p && *p != wanted)
        ++p;
    return *p ? p - s : -1;
}

static int binary_search(const short *v, int n, short wanted)
{
    const short *low = v, *high = v + n;

    while (low < high) {
        const short *middle = low + (high - low) / 2;
        if (*middle < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return (int)(low - v);
}

int main(void)
{
    short *p, *const end = samples + 12;
    unsigned char bytes[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, *b = bytes + 4;
    int k;

    for (p = samples; p != end; p++)
        *p = (short)((p - samples) * (p - samples) - 20);
    for (k = 0; k <= 12; k += 3)
        mix((uint32_t)sum_between(samples + k / 2, end - k / 3));
    for (p = end; p > samples;) {
        --p;
        mix((uint32_t)(*p + (int)(end - p)));
    }
    for (k = -4; k < 4; k++)
        mix(b[k] * 16u + *(b - k - 1));
    *(b += 2) = 99;
    *--b ^= 0x55;
    (*b)++;
    k = *b++;
    k += *b;
    mix((uint32_t)k);
    mix((uint32_t)*(&bytes[7] - 2)), mix((uint32_t)(3[bytes]));
    reverse(text, text + sizeof text - 1);
    printf("%s %d %d\n", text, (int)position(text, 'p'), (int)position(text, 'q'));
    for (k = 0; text[k]; k++)
        mix((unsigned char)text[k]);
    for (k = -25; k < 120; k += 12)
        mix((uint32_t)binary_search(samples, 12, (short)k));
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
