int main(void) {
    int x, y;
    x = y = 1;
    x += y;
    x <<= 2, y ^= x;
    x %= y | 1;
    return x;
}
