/* Two numbers that take turns. */
int printf(const char *, ...);

static unsigned gcd(unsigned a, unsigned b)
{
    while (b) {
        unsigned t = a % b;
        a = b;
        b = t;
    }
    return a;
}

int main(void)
{
    printf("%u\n", gcd(12, 18));
    return 0;
}
