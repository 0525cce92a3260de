/* A block inside, with a hole behind it. */
void take(int, ...);

int main(void) {
    int a, b;
    take(a, b);
    {
        int c, d;
        take(c, d);
    }
    take(a);
    return 0;
}
