/* A parameter hides a global variable. */
int printf(const char *, ...);

static int size = 3, depth = 2;

static int area(int size)
{
    return size * depth;
}

int main(void)
{
    depth = area(size + 1);
    printf("%d %d\n", size, depth);
    return 0;
}
