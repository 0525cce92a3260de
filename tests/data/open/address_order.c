/* Which of two objects comes first is not for the program to know. */
#include <stdio.h>

static int one, other;

int main(void)
{
    int sum = 0, last = 1;
    for (int i = 0; i < 3; i++) {
        sum += last;
        last += i;
        if (i > 5)
            sum = 0;
    }
    printf("%d %d %d %d\n", &one < &other, &sum < &last, sum, last);
    return one + other;
}
