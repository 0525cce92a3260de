/* Two blocks side by side share nothing but what is outside. */
int printf(const char *, ...);

int main(void)
{
    int a = 2, b = 7;
    {
        int c = a;
        b -= c;
    }
    {
        int d = b, e = a;
        a = d + e;
    }
    printf("%d %d\n", a, b);
    return 0;
}
