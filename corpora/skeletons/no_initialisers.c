/* Variables that nothing tells apart until they are assigned. */
int printf(const char *, ...);

int main(void)
{
    int a, b, c;
    a = 1;
    b = 2;
    c = a + b;
    printf("%d\n", c);
    return 0;
}
