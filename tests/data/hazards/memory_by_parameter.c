/* Memory that nobody filled comes back by a parameter. */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>
struct S { int a, b; };
static int f(struct S s, int n) { n += s.a; n ^= 2; n += 3; return n; }
int main(void) {
    void *v; if (posix_memalign(&v, 16, 64)) return 1;
    struct S *p = v;
    p->a = 3;
    int r = f(*p, 2);
    r += 2;
    printf("%d\n", r); return 0; }
