int main(void) {
    int x = 1, a[4];
    unsigned long n = sizeof(x++) + sizeof(int) + sizeof a[0] + _Alignof(int);
    return n + sizeof(struct { int k; }) + _Generic(x, int: x, default: 0);
}
