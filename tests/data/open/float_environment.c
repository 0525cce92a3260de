/* Compilers fold constants in the usual rounding mode, and flags are not among results. */
#include <fenv.h>
#include <stdio.h>

int main(void)
{
    double sum = 0, zero = 0;
    fesetround(FE_UPWARD);
    for (int i = 0; i < 5; i++) {
        double third = 1.0;
        third /= 3.0;
        sum += third * i;
        if (sum > 1e6)
            sum = 0;
    }
    fesetround(FE_TONEAREST);
    printf("%.17g\n", sum);
    feclearexcept(FE_ALL_EXCEPT);
    sum = 1 / zero;
    printf("%d %d\n", fetestexcept(FE_DIVBYZERO) != 0, sum > 1);
    return 0;
}
