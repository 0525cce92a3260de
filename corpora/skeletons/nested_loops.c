/* Two counters in sight of each other. */
int printf(const char *, ...);

int main(void)
{
    unsigned total = 0;
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = i; j < 4; j++)
            total += i * j;
    printf("%u\n", total);
    return 0;
}
