/* Nothing is computed but what functions round, and compilers know only one mode. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    double d = 2.1;
    fesetround(FE_UPWARD);
    if (argc > 6)
        d = 1;
    printf("%g %g\n", rint(d), nearbyint(2.1));
    return 0;
}
