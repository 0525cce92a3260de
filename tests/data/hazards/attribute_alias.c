/* Two names of one variable. */
#include <stdio.h>
int x = 5; static int y __attribute__((alias("x")));
__attribute__((noinline)) static int f(int n) { x += n; n += 2; n ^= 3; x ^= n; return n + y; }
int main(void) { int r = f(2); r += f(3); r ^= y; printf("%d %d\n", r, y); return 0; }
