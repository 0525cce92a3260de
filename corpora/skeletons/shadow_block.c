/* A name that means something else inside a block. */
int printf(const char *, ...);

static int x = 4;

int main(void)
{
    int y = x;
    {
        int x = y + 1;
        y = x * 2;
    }
    printf("%d %d\n", x, y);
    return 0;
}
