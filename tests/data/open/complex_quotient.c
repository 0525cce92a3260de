/* gcc rounds a quotient that it knows once, and the library rounds every step. */
#include <complex.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    double complex a = 3.1 + 0.7 * I, b = 1.3 - 2.9 * I;
    if (argc > 6)
        b = 2;
    double complex c = a / b;
    printf("%.17g %.17g\n", creal(c), cimag(c));
    return 0;
}
