/* One operand changes what another reads: gcc and clang begin at different ends. */
#include <stdio.h>

int main(int argc, char **argv)
{
    int i = 0;
    int a[3] = { 0 };
    (void)argv;
    if (argc > 6)
        puts("many");
    a[i] = i++;
    printf("%d %d\n", i, i++);
    printf("%d %d\n", a[0], a[1]);
    return 0;
}
