/* main has no return statement: reaching its closing brace returns zero.  Other
   functions return only from inside branches, loops and switches.  Code added
   at the end of a body may be reached in one and be dead in the next. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 503;
static int notes;
static unsigned char marks[5];

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void plain(int n)
{
    marks[n % 5] += (unsigned char)n;
}

static int sometimes(int n)
{
    notes += n;
    if (n > 3)
        return notes;
    do {
        plain(n);
        if (notes > n)
            return n;
        notes += 2;
    } while (1);
}

static void early(int n)
{
    if (n & 1)
        return;
    for (;;) {
        if (notes-- < 40)
            return;
        plain(n);
    }
}

static int all_branches(int n)
{
    if (n < 2)
        return 1;
    else if (n < 4)
        return 2;
    else
        switch (n % 3) {
        case 0: return 3;
        case 1: return 4;
        default: return 5;
        }
}

int main(void)
{
    int k;

    for (k = 0; k < 10; k++) {
        if (k > 3)
            sometimes(k);
        mix((uint32_t)sometimes(k / 2));
        early(k);
        mix((uint32_t)all_branches(k));
        printf("%d: notes %d\n", k, notes);
    }
    for (k = 0; k < 5; k++)
        mix(marks[k]);
    mix((uint32_t)notes);
    printf("checksum = %08x\n", (unsigned)hash);
}
