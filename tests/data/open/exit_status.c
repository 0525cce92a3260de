/* mestra-flags: -std=gnu89 */
/* Before C99, a main that ends without return has no exit status of its own. */
#include <stdio.h>

int main(int argc, char **argv)
{
    int sum = 0, i;
    (void)argv;
    for (i = 0; i < 5; i++) {
        if (argc > 6)
            puts("many");
        sum += i;
    }
    printf("%d\n", sum);
}
