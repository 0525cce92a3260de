/* Globals that two functions share, and locals of each. */
int printf(const char *, ...);

static int a, b;

static int take(void)
{
    int c = a, d = 1;
    a = c + d;
    return b;
}

int main(void)
{
    int e = 5, f;
    b = e;
    f = take();
    printf("%d %d %d\n", a, b, f);
    return 0;
}
