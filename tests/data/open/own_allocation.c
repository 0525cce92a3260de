/* Of what has the name of an allocating function, clang thinks that it has memory. */
#include <stddef.h>
#include <stdio.h>

void *valloc(size_t size)
{
    static char pool[64];
    static size_t used;
    if (size > sizeof pool - used)
        return NULL;
    used += size;
    return pool + used - size;
}

int main(int argc, char **argv)
{
    int failures = 0;
    (void)argv;
    for (int i = 0; i < 4; i++) {
        if (argc > 6)
            puts("many");
        if (valloc(20) == NULL)
            failures++;
    }
    printf("%d %d\n", failures, valloc(30) == NULL);
    return 0;
}
