/* An initialiser sets the first member of a union; the rest of the others may be anything. */
#include <stdio.h>

union parts {
    int whole;
    short part[8];
};

int main(void)
{
    union parts one = { 7 };
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        sum += one.part[i];
        if (sum > 500)
            sum = 0;
    }
    printf("%d\n", sum);
    return 0;
}
