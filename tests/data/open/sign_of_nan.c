/* The sign of a NaN: folded or computed, both are right. */
#include <stdio.h>

volatile double zero;

int main(int argc, char **argv)
{
    double d = zero;
    double e = 0.0;
    (void)argv;
    if (argc > 5) {
        d = 2.0;
        e = d;
        printf("many\n");
    }
    printf("%f %f\n", d / d, e / e);
    return 0;
}
