/* What is inlined is not what is called: the library has another function of that name. */
#include <stdio.h>
#include <unistd.h>

extern inline __attribute__((gnu_inline)) int isatty(int file)
{
    return file + 40;
}

int main(int argc, char **argv)
{
    int sum = 0;
    (void)argv;
    for (int file = 90; file < 93; file++) {
        if (argc > 6)
            puts("many");
        sum += isatty(file);
    }
    printf("%d\n", sum);
    return 0;
}
