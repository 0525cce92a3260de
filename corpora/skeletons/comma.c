/* Several effects in one expression. */
int printf(const char *, ...);

int main(void)
{
    int i, j;
    for (i = 0, j = 8; i < j; i++, j--)
        ;
    printf("%d %d\n", i, j);
    return 0;
}
