/* The end of one array may be the beginning of another. */
#include <stdio.h>

static int one[4], other[4];

int main(void)
{
    int *p = one + 4, *q = other;
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        one[i] = i;
        other[i] = -i;
        if (i > 7)
            sum = 0;
        sum += one[i] * other[i];
    }
    printf("%d %d\n", sum, p == q);
    return 0;
}
