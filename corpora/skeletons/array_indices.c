/* Indices into an array that stay inside whatever is chosen. */
int printf(const char *, ...);

int main(void)
{
    int a[4] = { 3, 1, 2, 0 };
    unsigned i = 0, j = 3;
    a[i & 3] = a[j & 3];
    i = a[j & 3];
    j = a[i & 3];
    printf("%d %u %u\n", a[0], i, j);
    return 0;
}
