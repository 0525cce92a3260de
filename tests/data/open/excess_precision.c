/* The x87 keeps more digits than a double has, as long as it keeps a value to itself. */
#include <stdio.h>

static double a[8] = {1.1, 2.3, 3.7, 4.9, 5.3, 6.1, 7.9, 8.3};

int main(int argc, char **argv)
{
    double s = 0;
    int i;
    (void)argv;
    for (i = 0; i < 8; i++) {
        double p = a[i] / 3.0;
        if (argc > 7) {
            p = i;
            printf("many\n");
        }
        s = s * p + a[i];
    }
    printf("%.17g %d\n", s, s == a[7] * 3.0);
    return 0;
}
