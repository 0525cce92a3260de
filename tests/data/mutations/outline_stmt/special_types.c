#include <stdlib.h>
typedef short __attribute__((__may_alias__)) part;
int main(void) {
    int a = 0x12345678;
    part *b = (part *)&a;
    b[1] = 0;
    if (a == 0x12345678)
        abort();
    return 0;
}
