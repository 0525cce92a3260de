/* The upper half of a parameter is left to chance if the argument has no such half. */
#include <stdio.h>

int sign();

int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = -3; i < 3; i++) {
        sum += sign(i);
        if (sum > 500)
            sum = 0;
    }
    printf("%d\n", sum);
    return 0;
}

int sign(a)
    long a;
{
    if (a < 0)
        return 5;
    return 1;
}
