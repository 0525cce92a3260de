/* Integers of five types, which convert into each other. */
int printf(const char *, ...);

int main(void)
{
    signed char c = -3, d = 5;
    short s = 300, t = c;
    unsigned u = 7, v = d;
    long l = s, m = -1;
    u += c;
    t = s * d;
    l = u + m;
    printf("%d %d %u %ld\n", c, t, u - v, l);
    return 0;
}
