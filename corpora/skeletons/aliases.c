/* Stores through pointers to different types. */
int printf(const char *, ...);

int main(void)
{
    int a = 1, b = 2;
    short s = 3, t = 4;
    int *p = &a;
    short *q = &s;
    *p = t;
    *q = 7;
    a = *p + s;
    printf("%d %d %d %d\n", a, b, s, t);
    return 0;
}
