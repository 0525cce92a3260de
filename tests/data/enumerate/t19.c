/* Two blocks side by side, with thirty holes. */
void take(int, ...);

int main(void) {
    int a, b, c, d;
    take(a, b, c, d, a, b);
    {
        int e, f, g;
        take(a, b, c, d, e, f, g, a, b, c, d, e);
    }
    {
        int h, i, j;
        take(a, b, c, d, h, i, j, a, b, c, d, h);
    }
    return 0;
}
