/* The pragma lets gcc add the numbers in any order. */
#pragma GCC optimize("O3", "fast-math")
#include <stdio.h>

static double sum(const double *a, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * 0.1;
    return s / 3.0;
}

int main(int argc, char **argv)
{
    double a[100];
    for (int i = 0; i < 100; i++)
        a[i] = 1.0 / (i + argc);
    printf("%.17g\n", sum(a, 100));
    return 0;
}
