/* Variables that can be read only. */
int printf(const char *, ...);

int main(void)
{
    const int c = 3, d = 4;
    int a = c, b = d;
    a = a * c;
    b = a - d;
    printf("%d %d\n", a, b);
    return 0;
}
