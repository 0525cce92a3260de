/* errno after an allocation that a compiler may leave out. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argv;
    errno = 0;
    free(malloc((size_t)-1 / 4));
    if (argc > 7) {
        printf("many\n");
    }
    printf("%d\n", errno);
    return 0;
}
