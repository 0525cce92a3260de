/* Another program at another level. */
#include <stdio.h>

int main(int argc, char **argv)
{
    int x = 1;
    (void)argv;
    if (argc > 7) {
        x = 2;
    }
#ifdef __OPTIMIZE__
    x += 10;
#endif
    printf("%d\n", x);
    return 0;
}
