/* A jump over assignments. */
int printf(const char *, ...);

int main(void)
{
    int a = 1, b = 2;
    if (a < b)
        goto end;
    a = b;
    b = a;
end:
    printf("%d %d\n", a, b);
    return 0;
}
