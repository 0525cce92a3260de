/* Two names of one variable, and a remark where only blanks are expected. */
#include <stdio.h>
#define SECOND(x) __attribute__ /* ( */ ((alias(x)))
int x = 5; static int y __attribute__ /* :) */ ((alias("x"))); static int z SECOND("x");
__attribute__((noinline)) static int f(int n) { x += n; n += 2; n ^= 3; x ^= n; return n + y; }
int main(void) { int r = f(2); r += f(3); r ^= y; printf("%d %d %d\n", r, y, z); return 0; }
