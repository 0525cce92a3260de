/* A product and a sum may be rounded once or twice, and deleting what never runs decides. */
#include <stdio.h>

#define N 64

static double a[N], b[N];

int main(void)
{
    double s = 0;
    int i, n = 0;
    for (i = 0; i < N; i++) {
        a[i] = 1.0 / (i + 3);
        b[i] = 1.0 / (i + 7);
    }
    for (i = 0; i < N; i++) {
        double p = a[i] * b[i];
        if (a[i] > 1000) {
            p = 0;
            n++;
        }
        s = s + p;
    }
    printf("%.17g %d\n", s, n);
    return 0;
}
