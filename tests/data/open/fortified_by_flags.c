/* More is copied than the member holds, which -D_FORTIFY_SOURCE=2 checks and nobody else. */
#include <stdio.h>
#include <string.h>

static struct {
    char first[4];
    char second[12];
} names;

int main(int argc, char **argv)
{
    const char *text = "abcdef";
    (void)argv;
    if (argc > 7) {
        text = "none";
    }
    strcpy(names.first, text);
    printf("%s\n", names.second);
    return 0;
}
