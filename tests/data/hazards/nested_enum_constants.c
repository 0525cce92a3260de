/* Constants of enums inside a struct or sizeof shadow variables. */
#include <stdio.h>
int g = 1, h = 2, k = 3;
static int f(int n) {
    struct T { enum { g = 50, h = 60 } tag; int v; } t = { g, n };
    int r = t.v + t.tag;
    r += sizeof(enum { k = 70 }) + n;
    r ^= k;
    r += 2;
    return r;
}
int main(void) { int r = f(2) + f(3); g++; h += g; k++; printf("%d %d %d %d\n", r, g, h, k); return 0; }
