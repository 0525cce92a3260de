int main(void) {
    unsigned char c = 1;
    short s = 2;
    long l = c + s;
    double d = l;
    c = d;
    return c == l;
}
