int main(void) {
    int x = 300;
    unsigned char c = (unsigned char)x;
    (void)x;
    return (short)(x + (long)c) + (int)(char *)0;
}
