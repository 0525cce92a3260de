/* Each turn reads what an earlier one wrote, and the pragmas say that none does. */
#include <stdio.h>

static int cells[70];

int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 0; i < 70; i++)
        cells[i] = i;
#pragma GCC ivdep
#pragma clang loop vectorize(assume_safety)
    for (int i = 0; i < 60; i++)
        cells[i + argc] = cells[i] + 1;
    for (int i = 0; i < 70; i++)
        sum += cells[i];
    printf("%d\n", sum);
    return 0;
}
