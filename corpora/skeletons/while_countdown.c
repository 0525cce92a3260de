/* A loop whose end depends on which variable is counted down. */
int printf(const char *, ...);

int main(void)
{
    int left = 6, steps = 0;
    while (left > 0) {
        left -= 2;
        steps++;
    }
    printf("%d %d\n", left, steps);
    return 0;
}
