/* The last digit of a function, folded or computed by the library. */
#include <math.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    double x = 0.7, sum = 0;
    int i;
    (void)argv;
    if (argc > 7) {
        x = argc;
    }
    for (i = 0; i < 40; i++) {
        sum += pow(x + i, 2.3) + sin(x * i) + exp(x / (i + 1)) + lgamma(x + i) + pow(2.0, x + i);
    }
    printf("%.17g %.17g %.17g\n", sum, tgamma(5.7), pow(10.0, -5));
    return 0;
}
