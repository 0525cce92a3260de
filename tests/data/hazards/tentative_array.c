/* An array that has one element, and no size until the program ends. */
#include <stdio.h>

int known[], rest[];
int known[3];

int main(void)
{
    int *p = known;
    for (int i = 0; i < 3; i++) {
        known[i] = i * 5 + *p;
        rest[0] += known[i];
        p = i & 1 ? rest : known;
    }
    printf("%d %d\n", rest[0], known[2]);
    return 0;
}
