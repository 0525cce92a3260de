/* Two variables outside a block and two inside: the smallest program with scopes. */
int printf(const char *, ...);

int main(void)
{
    int a = 1, b = 0;
    if (a) {
        int c = 3, d = 5;
        b = c + d;
    }
    printf("%d\n", a * b);
    return 0;
}
