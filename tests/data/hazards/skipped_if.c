/* Some compilers see an `if` before a statement that others see alone. */
#include <stdio.h>

static int total = 4;

int main(int argc, char **argv)
{
    (void)argv;
    for (int i = 0; i < 3; i++) {
        total += i;
#ifdef __TINYC__
        if (i == i)
#endif
            total ^= 3;
        if (argc > 5) {
#ifdef __TINYC__
            if (i > 7)
#endif
                total = 0;
        }
    }
    printf("%d\n", total);
    return 0;
}
