/* Which argument is evaluated first. */
#include <stdio.h>

static int next;

static int take(int step)
{
    next = next * 3 + step;
    return next;
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 7) {
        next = 9;
    }
    printf("%d %d\n", take(1), take(2));
    return 0;
}
