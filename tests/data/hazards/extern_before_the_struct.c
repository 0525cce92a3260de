/* A variable that is declared before its type is complete. */
#include <stdio.h>
struct cfg; extern struct cfg cfg;
static int use(int n) { n += 2; n ^= 3; n *= 2; return n; }
struct cfg { int a, b; };
struct cfg cfg = { 4, 5 };
int main(void) { int r = use(2); r += cfg.a; printf("%d %d\n", r, cfg.b); return 0; }
