float half(float x) { return x / 2; }
int main(void) {
    double d = half(3) * 1e3, e = -d;
    long double l = d + 1.0L;
    _Complex double z = 1.0 + 2.0i;
    return d > e && l != (double)z;
}
