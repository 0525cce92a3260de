/* Two types, in turns. */
void take(int, ...);

int main(void) {
    int a, b;
    char c, d;
    take(a, c, b, d, a);
    return 0;
}
