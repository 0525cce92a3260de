/* A loop made of a label and a jump. */
int printf(const char *, ...);

int main(void)
{
    int n = 0, m = 10;
again:
    n++;
    m -= n;
    if (m > n)
        goto again;
    printf("%d %d\n", n, m);
    return 0;
}
