/* A member that is an array decays, so the address of the struct is taken. */
#include <stdio.h>
struct S { int arr[2]; } s; int total;
__attribute__((noinline)) static int f(int *restrict p, int n) {
    p[0] = n;
    total += n;
    p[1] = p[0] + total;
    total ^= 5;
    p[0] += p[1];
    total += 2;
    return p[0];
}
int main(void) { int r = 0; for (int i = 0; i < 3; i++) { r += f(s.arr, i); r += s.arr[1]; } printf("%d %d\n", r, total); return 0; }
