/* Flags and inputs stand in comments like this one. */

#define DO(s) s
#define POSITIVE (x > 0)
#define BIG x > 9
int g;
static void odd(void) { __asm__(""); }
static int f(int x) {
    int y = 1;
    if (x) g = 1; else g = 2;
    switch (x) { case 1: g = 3; __attribute__((fallthrough)); case 2: g = 4; break; default: ; }
    if (POSITIVE) g = 5;
    if (BIG) g = 6;
    DO(g++;)
    { int inner = y; g += inner; }
    while (x > 9) x--;
    while (x > 8 &&
        x) x--;
    for (y = 0, g = 7; y < 3, y < 4; y++) g++;
    do g--; while (g > 9);
    for (;;) break;
    return g;
}
int main(void) { return f(0) - 7; }
