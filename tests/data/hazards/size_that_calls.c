/* The size of an array of variable length is computed, calls included. */
#include <stdio.h>

static int calls;

static int next(void)
{
    calls++;
    return 5;
}

int main(int argc, char **argv)
{
    int a[next()];
    int size = sizeof(int[next() + argc]) / sizeof(int) + sizeof a / sizeof *a;
    for (int i = 0; i < 5; i++)
        a[i] = i * calls;
    if (a[3] > 50)
        puts("no");
    printf("%d %d %d\n", size, calls, a[4]);
    return 0;
}
