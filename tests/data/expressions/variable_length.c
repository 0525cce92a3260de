int main(void) {
    int n = 3;
    int a[n + 1], fixed[2 + 1];
    typedef int row[n];
    a[0] = sizeof(row);
    return fixed[a[0] = 0];
}
