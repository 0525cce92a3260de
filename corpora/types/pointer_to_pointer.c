/* Pointers to pointers, exchanged through them. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

static int a = 1, b = 2, c = 3;
static int *row[3] = { &a, &b, &c };

static void exchange(int **one, int **two)
{
    int *kept = *one;
    *one = *two;
    *two = kept;
}

int main(void)
{
    int i;
    for (i = 0; i < 9; i++) {
        exchange(&row[i % 3], &row[(i * 2 + 1) % 3]);
        **row += i;
        *row[1] ^= *row[2];
        add((unsigned)(a * 100 + b * 10 + c));
    }
    printf("checksum = %08x\n", sum);
    return 0;
}
