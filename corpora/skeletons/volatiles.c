/* Accesses that must all be made. */
int printf(const char *, ...);

int main(void)
{
    volatile int v = 1, w = 2;
    int a = v, b = w;
    v = a + b;
    w = v;
    printf("%d %d\n", v, w);
    return 0;
}
