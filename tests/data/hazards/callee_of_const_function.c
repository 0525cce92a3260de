/* What a const function calls must not read variables either. */
#include <stdio.h>
int cnt;
__attribute__((noinline)) int mul(int a, int b) { int r = a; r *= b; return r; }
__attribute__((const, noinline)) int sq(int x) { return mul(x, x); }
int main(void) {
    int s = 0;
    for (int i = 0; i < 3; i++) { cnt = i + 50; s += sq(7); }
    printf("%d\n", s);
    return 0;
}
