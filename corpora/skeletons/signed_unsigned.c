/* Comparisons that depend on signs. */
int printf(const char *, ...);

int main(void)
{
    int a = -1, b = 1;
    unsigned u = 1, v = 2;
    int less = a < b;
    unsigned more = u > v;
    printf("%d %u\n", less + (a < (int)v), more + (u + b));
    return 0;
}
