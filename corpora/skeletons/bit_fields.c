/* Fields narrower than what is stored. */
int printf(const char *, ...);

struct bits {
    unsigned low : 3, high : 5;
};

int main(void)
{
    unsigned a = 9, b = 20;
    struct bits s = { 0, 0 };
    s.low = a;
    s.high = b;
    a = s.low + s.high;
    printf("%u %u\n", a, b);
    return 0;
}
