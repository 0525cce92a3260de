/* Either zero is the smaller one. */
#include <math.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    double a = 0.0, b = -0.0;
    if (argc > 6)
        a = 1;
    double c = fmin(b, a);
    printf("%g\n", c);
    return 0;
}
