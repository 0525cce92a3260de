/* An extension before C23: of which type are enumerators if one of them is no int? */
#include <stdio.h>

enum sizes { SMALL = 1, LARGE = 0x100000000LL };

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 6)
        puts("many");
    printf("%d %d\n", (int)sizeof SMALL, (int)sizeof LARGE);
    return 0;
}
