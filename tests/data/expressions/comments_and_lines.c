int main(void) {
    int x = 1 /* one */ + /* two */ 2;
    x /* a */ = x // b
        - 3;
    x +\
= 4;
    x = x <\
< 1;
    return x;
}
