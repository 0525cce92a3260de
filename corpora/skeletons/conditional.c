/* Values chosen by a condition. */
int printf(const char *, ...);

int main(void)
{
    int a = 4, b = 9;
    int least = a < b ? a : b;
    int most = a > b ? a : b;
    printf("%d %d\n", least, most - least);
    return 0;
}
