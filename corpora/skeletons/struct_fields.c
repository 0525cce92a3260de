/* Fields that are filled from variables. */
int printf(const char *, ...);

struct pair {
    int left, right;
};

int main(void)
{
    int a = 1, b = 2;
    struct pair p = { a, b };
    a = p.left + b;
    p.right = a;
    printf("%d %d %d\n", p.left, p.right, b);
    return 0;
}
