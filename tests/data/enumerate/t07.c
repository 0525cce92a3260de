/* The same with ten holes. */
void take(int, ...);

int main(void) {
    int a, b;
    take(a, b, a);
    {
        int c, d;
        take(a, b, c, d, c);
    }
    take(b, a);
    return 0;
}
