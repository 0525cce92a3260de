/* Of what memcmp and strcmp return, only the sign is known. */
#include <stdio.h>
#include <string.h>

static char one[8] = "abcdefg", other[8] = "abcxefg";

int main(int argc, char **argv)
{
    unsigned n = 5;
    (void)argv;
    if (argc > 7) {
        n = (unsigned)argc % 5;
        other[0] = 'z';
    }
    printf("%d %d\n", memcmp(one, other, n), strcmp("abc", "abz"));
    return 0;
}
