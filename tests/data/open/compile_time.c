/* Every build has its own time. */
#include <stdio.h>

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 5; i++) {
        sum += i;
        if (sum > 100)
            sum = 0;
    }
    printf("%s %d\n", __TIME__, sum);
    return 0;
}
