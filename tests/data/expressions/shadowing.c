int x = 1;
int main(void) {
    int y = x;
    { long x = y; y = x; }
    for (char x = 0; x < 2; x++)
        y += x;
    return x + y;
}
