/* Types that are declared inside sizeof. */
#include <stdio.h>
static int f(int n) { n += sizeof(struct T { int a; }); n ^= 3; struct T t = { n }; n += t.a; n += sizeof(enum { A = 4, B }); n += A + B; return n; }
int main(void) { int r = f(2); r += f(3); printf("%d\n", r); return 0; }
