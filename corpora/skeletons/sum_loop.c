/* A counter, a bound and a sum that may change places. */
int printf(const char *, ...);

int main(void)
{
    int n = 5, sum = 0;
    for (int i = 0; i < n; i++)
        sum += i * n;
    printf("%d\n", sum);
    return 0;
}
