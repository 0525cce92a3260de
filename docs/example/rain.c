/* The rain of a week in millimetres: its sum and its wettest day. */
#include <stdio.h>

static int rain[7] = { 3, 0, 12, 5, 0, 0, 7 };
static int broken;

static int wettest(const int *days, int count)
{
    int best = 0;
    int i;
    for (i = 1; i < count; i++) {
        if (days[i] < 0) {
            printf("gauge %d is broken\n", i);
            broken++;
        } else if (days[i] > days[best])
            best = i;
    }
    return best;
}

int main(void)
{
    int sum = 0;
    int day;
    for (day = 0; day < 7; day++)
        sum += rain[day];
    day = wettest(rain, 7);
    printf("%d mm, most on day %d\n", sum, day);
    return broken;
}
