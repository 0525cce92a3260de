/* More holes inside than outside. */
void take(int, ...);

int main(void) {
    int a, b, c;
    take(a, b);
    {
        int d, e;
        take(a, d, e, b, c);
    }
    take(c);
    return 0;
}
