/* Amounts of shifts, which may not be large. */
int printf(const char *, ...);

int main(void)
{
    unsigned bits = 1, by = 3;
    bits <<= by;
    by = bits >> 2;
    bits |= by;
    printf("%u %u\n", bits, by);
    return 0;
}
