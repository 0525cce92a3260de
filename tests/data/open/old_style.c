/* Empty parentheses say nothing of parameters, until C23. */
#include <stdio.h>

static int add();

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 7) {
        printf("many\n");
    }
    printf("%d\n", add(2, 3));
    return 0;
}

static int add(a, b)
    int a, b;
{
    return a + b;
}
