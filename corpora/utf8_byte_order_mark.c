/* mestra-run: 4 */
/* mestra-run: 9 */
/* The file begins with a UTF-8 byte order mark.  It belongs to no token, text
   put before it makes it a stray character, and a search for directives in the
   first line must look behind it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t hash = 571;
static int marks[4];
static unsigned char order;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int rank(int n)
{
    int r = 0, probe = 1;

    while (probe < n) {
        probe = probe * 2 + 1;
        r++;
        marks[r & 3]++;
    }
    if (probe == n)
        order++;
    return r;
}

int main(int argc, char **argv)
{
    int i, most = argc > 1 ? atoi(argv[1]) : 2;

    for (i = 0; i < most * 3; i++) {
        int r = rank(i);
        if (i % 4 == 0)
            printf("%d: %d\n", i, r);
        mix((uint32_t)r);
    }
    for (i = 0; i < 4; i++)
        mix((uint32_t)marks[i]);
    mix(order);
    printf("order %d\n", order);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
