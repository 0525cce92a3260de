/* A compound literal lasts as long as the block around it: no braces may come around. */
#include <stdio.h>
struct S { int a, b; };
static int sum(struct S *p, int *q) { return p->a * 10 + p->b + q[0] + q[1]; }
static int clobber(int n) { int t[16]; for (int i = 0; i < 16; i++) t[i] = n + i; int r = 0; for (int i = 0; i < 16; i++) r ^= t[i]; return r; }
int main(void) {
    struct S *p; int *q; int n = 3;
    p = &(struct S){ n, 4 };
    q = (int[]){ 5, n };
    n = clobber(n);
    n += sum(p, q);
    printf("%d\n", n);
    return 0;
}
