/* Equal literals may be one object, also where one is the end of the other. */
#include <stdio.h>

int main(void)
{
    const char *whole = "abc", *end = "bc";
    int sum = 0;
    for (int i = 0; i < 5; i++) {
        sum = sum * 2 + (i > 2);
        if (i == 9)
            sum = 7;
    }
    printf("%d %d %d\n", sum, whole + 1 == end, whole == "abc");
    return 0;
}
