/* mestra-flags: -D_FORTIFY_SOURCE=2 */
/* Checks that exist only where the optimiser runs. */
#include <stdio.h>
#include <string.h>

static char buffer[16];

int main(int argc, char **argv)
{
    const char *text = "short";
    (void)argv;
    if (argc > 7) {
        text = "a longer one";
    }
    strcpy(buffer, text);
    printf("%s %d\n", buffer, (int)__builtin_object_size(buffer + argc, 1));
    return 0;
}
