/* A function that returns twice without a header. */
#include <stdio.h>
static void *buf[5]; static int g;
__attribute__((noinline)) static void jump(void) { __builtin_longjmp(buf, 1); }
__attribute__((noinline)) static int f(int n) {
    int x = n;
    if (__builtin_setjmp(buf) == 0) { x = n + 40; g = x; jump(); }
    g += 2;
    g ^= 7;
    g += 3;
    return g;
}
int main(void) { int r = f(2); r += f(3); printf("%d\n", r); return 0; }
