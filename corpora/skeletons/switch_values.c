/* What is switched on, and what the cases change. */
int printf(const char *, ...);

int main(void)
{
    int kind = 1, count = 0;
    for (int i = 0; i < 4; i++) {
        switch (kind) {
        case 0:
            count += i;
            break;
        case 1:
            kind = i;
            /* falls through */
        default:
            count++;
        }
    }
    printf("%d %d\n", kind, count);
    return 0;
}
