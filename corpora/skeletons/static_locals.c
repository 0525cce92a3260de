/* Variables that outlive the call. */
int printf(const char *, ...);

static int next(void)
{
    static int last = 1, before = 0;
    int now = last + before;
    before = last;
    last = now;
    return now;
}

int main(void)
{
    int one = next(), two = next();
    printf("%d %d %d\n", one, two, next());
    return 0;
}
