/* Two names for one object, of which compilers are not told. */
#include <stdio.h>

int first = 3;
extern int second __asm__("first");

int main(int argc, char **argv)
{
    first = argc;
    second = 7;
    if (first > 500)
        puts("no");
    printf("%d\n", first);
    return 0;
}
