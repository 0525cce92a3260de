/* mestra-run: */
/* mestra-run: deep */
/* main calls itself with other arguments and is called through a pointer.
   Code put at the start or end of main runs several times, so it is no place
   to set up state once or to print totals. */
#include <stdint.h>
#include <stdio.h>

int main(int argc, char **argv);

static uint32_t hash = 499;
static int entered, left_normally;
static int (*again)(int, char **) = main;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int from_outside(int n, char **argv)
{
    return n > 103 ? again(n - 3, argv) * 2 : n;
}

int main(int argc, char **argv)
{
    static char *fake[] = { "fake", 0 };
    int result = argc;
    short local = (short)(argc * 10);

    entered++;
    mix((uint32_t)entered);
    if (argc > 100) {
        /* A call from the program itself. */
        if (argc > 105)
            result = main(argc - 2, fake) + 1;
        else if (argc == 105)
            result = from_outside(argc, fake);
        else
            result = argc % 100;
        left_normally++;
        mix((uint32_t)(result + local));
        return result;
    }
    result = main(argv[argc] == 0 ? 110 : 0, argv);
    printf("first: %d\n", result);
    result += again(argc > 1 ? 140 : 107, fake);
    printf("second: %d\n", result);
    printf("entered %d, left %d, local %d\n", entered, left_normally, local);
    mix((uint32_t)result);
    mix((uint32_t)left_normally);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
