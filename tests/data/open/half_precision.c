/* How often a product of _Float16 is rounded is up to the compiler. */
#include <stdio.h>

int main(int argc, char **argv)
{
    volatile _Float16 a = 1.001f16, b = 3.3f16, c = 0.1f16;
    (void)argv;
    if (argc > 6)
        a = 7;
    printf("%.10g\n", (double)(a * b * c));
    return 0;
}
