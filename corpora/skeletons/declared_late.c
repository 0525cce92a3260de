/* Variables that are declared between statements. */
int printf(const char *, ...);

int main(void)
{
    int a = 3;
    a = a + a;
    int b = 4;
    a = a - b;
    int c = 5;
    printf("%d %d %d\n", a, b, c);
    return 0;
}
