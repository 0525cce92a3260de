/* At the end of the file, s.a means s.b. */
#include <stdio.h>
struct { int a, b; } s = { 1, 2 };
static int f(int n) { n += s.a; s.a += 4; n ^= 3; n += s.b; return n; }
#define a b
int main(void) { int r = f(2); r += f(3); printf("%d\n", r + s.a); return 0; }
