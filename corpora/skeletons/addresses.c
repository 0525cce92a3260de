/* Pointers to variables of one type. */
int printf(const char *, ...);

int main(void)
{
    int a = 1, b = 2;
    int *p = &a, *q = &b;
    *p = b;
    *q = *p + a;
    printf("%d %d\n", a, b);
    return 0;
}
