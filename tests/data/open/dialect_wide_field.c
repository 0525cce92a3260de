/* To gcc the type of the field has 40 bits, to others it has 64. */
#include <stdio.h>

static struct {
    unsigned long field : 40;
} s;

int main(int argc, char **argv)
{
    s.field = -1;
    if (argc > 6)
        s.field = 2;
    printf("%lx\n", s.field << 8);
    return 0;
}
