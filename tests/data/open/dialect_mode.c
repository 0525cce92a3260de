/* clang takes the attribute of no cast. */
#include <stdio.h>

int main(int argc, char **argv)
{
    int x = 0x400 + argc;
    if (argc > 6)
        x = 2;
    int y = (__attribute__((mode(QI))) int)x;
    printf("%d\n", y);
    return 0;
}
