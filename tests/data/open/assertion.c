/* An assertion that fails names its function, which gcc and clang write differently. */
#include <assert.h>
#include <stdio.h>

static int half(int number)
{
    assert(number % 2 == 0 && "odd");
    return number / 2;
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 6)
        puts("many");
    printf("%d\n", half(8));
    fflush(stdout);
    return half(7);
}
