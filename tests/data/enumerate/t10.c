/* A block in a block. */
void take(int, ...);

int main(void) {
    int a, b;
    take(a);
    {
        int c;
        take(c);
        {
            int d, e;
            take(d, e);
        }
        take(c);
    }
    take(b);
    return 0;
}
