/* The pointer that the parameter really is has the restrict. */
#include <stdio.h>
int cell[2]; int total;
__attribute__((noinline)) static int f(int p[restrict 2], int n) {
    p[0] = n;
    total += n;
    p[1] = p[0] + total;
    total ^= 5;
    p[0] += p[1];
    total += 2;
    return p[0];
}
int main(void) { int r = 0; for (int i = 0; i < 3; i++) { r += f(cell, i); r += cell[1]; } printf("%d %d\n", r, total); return 0; }
