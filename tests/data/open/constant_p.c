/* Whether a value is known when the program is compiled. */
#include <stdio.h>

static inline __attribute__((always_inline)) int kind(int x)
{
    return __builtin_constant_p(x) ? 1 : 2;
}

int main(int argc, char **argv)
{
    int x = 4;
    (void)argv;
    if (argc > 7) {
        x = argc;
        printf("many\n");
    }
    printf("%d\n", kind(x));
    return 0;
}
