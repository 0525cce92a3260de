/* Types that are declared by macros inside sizeof, in code that never runs. */
#include <stdio.h>
#define E enum { Q = 3 }
#define BODY { R = 4, S }
#define KIND enum
static int f(int n) {
    if (n > 90) {
        n += sizeof(E);
        n += sizeof(KIND BODY);
        n ^= sizeof(KIND { T = 6 });
        n += Q + R + S + T;
    }
    n ^= 5;
    return n;
}
int main(int argc, char **argv) { int r = f(argc); r += f(3); printf("%d\n", r); return 0; }
