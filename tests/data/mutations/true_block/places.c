#define DO(s) s
#define END ;
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
    while (x > 9) x--;
    g = sizeof(struct late { int b; });
    (void)(int[]){ 1 };
    g = 6 END
    (void)({ g = 10; 1; });
    return g;
}
int main(void) { return f(0) - 4; }
