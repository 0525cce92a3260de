/* The sum overflows where no sanitizer may look. */
#include <stdio.h>

__attribute__((no_sanitize("undefined"), noinline)) static int grows(int x)
{
    if (x + 1 > x)
        return 1;
    return 2;
}

int main(int argc, char **argv)
{
    int most = 2147483646 + argc;
    if (argc > 6)
        most = 3;
    printf("%d\n", grows(most));
    return 0;
}
