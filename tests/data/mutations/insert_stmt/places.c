#define DO(s) s
int g;
static void odd(void) { __asm__(""); }
static int f(int x) {
    int y = 1;
    if (x) g = 1; else g = 2;
    switch (x) { case 1: g = 3; __attribute__((fallthrough)); case 2: g = 4; break; default: ; }
    if (x > 5) { again: g = 5; x--; }
    if (x > 4) goto again;
    DO(g++;)
    { int inner = y; g += inner; }
    return g;
}
int main(void) { return f(0) - 4; }
