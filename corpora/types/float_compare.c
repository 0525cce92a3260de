/* Comparisons of floats as conditions of branches and loops. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

static int place(double x)
{
    if (x < -1.5)
        return 0;
    else if (x <= 0.0)
        return 1;
    else if (x == 0.75)
        return 2;
    else if (!(x > 3.0))
        return 3;
    return x != 4.25 ? 4 : 5;
}

int main(void)
{
    double x;
    int i = 0;
    for (x = -3.0; x < 5.0; x += 0.25) {
        add((unsigned)place(x) + (unsigned)i);
        i++;
    }
    add((unsigned)i);
    printf("checksum = %08x\n", sum);
    return 0;
}
