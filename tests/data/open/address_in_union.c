/* The low bits of an address, without a cast. */
#include <stdio.h>

static char a, b;
static long c[2];

int main(int argc, char **argv)
{
    union {
        void *pointer;
        unsigned long number;
    } u;
    u.pointer = &b;
    if (argc > 6)
        u.pointer = c;
    if (argc > 7)
        u.pointer = &a;
    printf("%lu\n", u.number & 15);
    return 0;
}
