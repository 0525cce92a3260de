/* The bits of a NaN, through a union. */
#include <stdio.h>

union bits {
    double number;
    unsigned long long whole;
};

static double quotient(double x, double y)
{
    return x / y;
}

int main(int argc, char **argv)
{
    union bits seen;
    double d = 0.0;
    (void)argv;
    if (argc > 5) {
        d = 3.0;
    }
    seen.number = quotient(d, d);
    printf("%llx\n", seen.whole >> 51);
    return 0;
}
