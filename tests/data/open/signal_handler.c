/* What a handler changes without volatile, a compiler need not read again. */
#include <signal.h>
#include <stdio.h>

static int caught, order[4];

static void handle(int number)
{
    if (caught < 4) {
        order[caught++] = number == SIGUSR1 ? 1 : 2;
    }
}

int main(int argc, char **argv)
{
    (void)argv;
    signal(SIGUSR1, handle);
    signal(SIGUSR2, handle);
    for (int i = 0; i < 3; i++) {
        raise(i & 1 ? SIGUSR2 : SIGUSR1);
        if (argc > 4) {
            caught = 9;
        }
    }
    for (int i = 0; i < caught; i++) {
        printf("%d ", order[i]);
    }
    printf("%d\n", caught);
    return 0;
}
