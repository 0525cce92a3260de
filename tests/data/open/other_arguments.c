/* What a parameter holds for which there is no argument is left to chance. */
#include <stdio.h>

int twice();

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        sum += twice(i);
        if (sum > 500)
            sum = 0;
    }
    printf("%d\n", sum);
    return 0;
}

int twice(int a, int b)
{
    return a * 2 + (b > 1000000);
}
