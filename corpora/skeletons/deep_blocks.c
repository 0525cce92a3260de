/* Blocks in blocks: each sees more than the one around. */
int printf(const char *, ...);

int main(void)
{
    int a = 1;
    {
        int b = a + 1;
        {
            int c = a + b;
            {
                int d = b + c;
                a = d - c;
            }
            b = a;
        }
        a += b;
    }
    printf("%d\n", a);
    return 0;
}
