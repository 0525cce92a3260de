/* The assembly writes what its operands do not name. */
#include <stdio.h>

static int cell = 3;

int main(int argc, char **argv)
{
    int *p = &cell;
    cell = argc;
    __asm__("movl $7, (%0)" : : "r"(p));
    int sum = cell;
    if (sum > 500)
        sum = 0;
    printf("%d\n", sum);
    return 0;
}
