int main(void) {
    int a[4] = { 0 }, *p = a, **q = &p;
    void *v = p;
    p = 0;
    *q = a + 1;
    p += *(int *)v;
    return p - a == 1 && *q && !v;
}
