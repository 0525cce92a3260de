/* A function of two parameters that calls itself. */
int printf(const char *, ...);

static int power(int base, int times)
{
    if (times == 0)
        return 1;
    int half = power(base, times / 2);
    return times % 2 ? half * half * base : half * half;
}

int main(void)
{
    printf("%d\n", power(3, 5));
    return 0;
}
