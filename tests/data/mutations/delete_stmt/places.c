#define DO(s) s
#define OPEN {
#define END ;
int g;
static void odd(void) { __asm__(""); }
static int f(int x) {
    int unused, also = 1;
    int y = 1;
    static int kept;
    struct inner { int a; } record;
    if (x) g = 1; else g = 2;
    switch (x) { case 1: g = 3; __attribute__((fallthrough)); case 2: g = 4; break; default: ; }
    switch (x) { case 3: g = 6; break; case 4: g = 7; }
    if (x > 5) { again: g = 5; {
        other: x--; } }
    if (x > 4) goto again;
    DO(g++;)
    if (x > 3) OPEN g = 8; }
    { int inner = y; g += inner; }
    while (x > 9) x--;
    g = sizeof(struct late { int b; });
    if (x > 8) {
#define LATER 1
        g = 9;
    }
    (void)({ g = 10; 1; });
    x = LATER;
    g = 11 END
    return g;
}
int main(void) { return f(0) - 4; }
