/* Whether the size of what a pointer points to is known. */
#include <stdio.h>

static char small[8], large[32];

int main(int argc, char **argv)
{
    char *p = small;
    (void)argv;
    if (argc > 7) {
        p = large;
        printf("many\n");
    }
    p[0] = 1;
    printf("%d\n", (int)__builtin_object_size(p, 0));
    return 0;
}
