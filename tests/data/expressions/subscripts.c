int main(void) {
    int a[2][3] = { { 0 } }, i = 1;
    a[i][2] = 2[a[0]];
    return (&a[0])[i][0] + *(*a + i) + "abc"[i];
}
