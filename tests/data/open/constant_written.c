/* A constant may be written into the code that reads it. */
#include <stdio.h>

static int add(const int *p)
{
    int *q = (int *)p;
    *q += 3;
    return *q;
}

int main(void)
{
    const int start = 4;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += add(&start);
        if (sum > 1000)
            sum = 1;
    }
    printf("%d %d\n", start, sum);
    return 0;
}
