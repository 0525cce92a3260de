/* Jumps that depend on counters. */
int printf(const char *, ...);

int main(void)
{
    int seen = 0, skipped = 0;
    for (int i = 0; i < 8; i++) {
        if (i == 2) {
            skipped++;
            continue;
        }
        if (seen > 3)
            break;
        seen++;
    }
    printf("%d %d\n", seen, skipped);
    return 0;
}
