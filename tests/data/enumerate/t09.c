/* Two blocks side by side. */
void take(int, ...);

int main(void) {
    int a, b;
    take(a);
    {
        int c;
        take(c, a);
    }
    {
        int d, e;
        take(d, e);
    }
    take(b);
    return 0;
}
