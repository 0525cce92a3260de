/* Memory that was freed may be given out again, or not. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int sum = 0;
    int *p = malloc(40);
    *p = 3;
    sum += *p;
    free(p);
    int *q = malloc(40);
    *q = 4;
    for (int i = 0; i < 3; i++) {
        sum = sum * 2 + (p == q);
        if (sum > 900)
            sum = 0;
    }
    free(q);
    printf("%d\n", sum);
    return 0;
}
