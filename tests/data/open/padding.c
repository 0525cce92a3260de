/* Three bytes of each pair belong to no member; stores may change them or not. */
#include <stdio.h>
#include <string.h>

struct pair {
    char small;
    int large;
};

static struct pair one, other;

int main(void)
{
    int sum = 0;
    memset(&one, 0xff, sizeof one);
    one.small = 1;
    one.large = 2;
    struct pair copy = one;
    other = copy;
    for (int i = 0; i < 4; i++) {
        sum += i;
        if (sum > 500)
            sum = 0;
    }
    printf("%d %d\n", sum, memcmp(&one, &other, sizeof one) == 0);
    return 0;
}
