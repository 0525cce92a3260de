/* Compilers take what such a function returns for memory that has no other name. */
#include <stdio.h>

static int only = 4;

__attribute__((malloc, noinline)) int *get(int n)
{
    if (n > 50)
        return 0;
    return &only;
}

int main(int argc, char **argv)
{
    int *p = get(argc);
    only = 1;
    *p = 6;
    if (only > 40)
        puts("no");
    printf("%d\n", only);
    return 0;
}
