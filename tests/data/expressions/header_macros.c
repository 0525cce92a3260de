#include <stddef.h>
#include <limits.h>
struct s { int a, b[3]; };
int main(void) {
    int *p = NULL;
    unsigned long o = offsetof(struct s, b) + offsetof(struct s, b[1]);
    return p == NULL && o > INT_MAX;
}
