int printf(const char *, ...);
static int twice(int x) { return 2 * x; }
int main(void) {
    int (*f)(int) = twice, (*table[2])(int) = { twice, &twice };
    printf("%d\n", twice(f(1)));
    (twice)(3);
    (*table[1])(4);
    return __builtin_popcount(7u) + __builtin_constant_p(1);
}
