int main(void) { int x; typeof(x) *p; return 0; }
