/* Flags that short circuits look at. */
int printf(const char *, ...);

int main(void)
{
    _Bool p = 1, q = 0;
    int n = 0;
    p = p && !q;
    q = q || p;
    if (p && q)
        n = 1;
    printf("%d %d %d\n", p, q, n);
    return 0;
}
