/* How much the greatest alignment is: tcc says less than gcc. */
#include <stdio.h>

struct wide {
    int number;
} __attribute__((aligned));

int main(int argc, char **argv)
{
    struct wide two[2] = { { 3 }, { 5 } };
    (void)argv;
    if (argc > 6)
        two[1].number = 7;
    printf("%d %d\n", (int)sizeof two, two[0].number + two[1].number);
    return 0;
}
