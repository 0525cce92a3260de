/* Where objects lie, in their last digits, which do not change from run to run. */
#include <stdint.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    char a[3] = {1, 2, 3};
    char b = 4;
    int x = 5;
    (void)argv;
    if (argc > 7) {
        x = a[0] + b;
        printf("many\n");
    }
    printf("%d %d %d\n", (int)((uintptr_t)a & 15), (int)((uintptr_t)&b & 15), x);
    return 0;
}
