#define DO(s) s
#define TWO 2
#define SUM x + 1
struct bits { unsigned narrow : 3; short whole; } b;
int g, table[4];
static int *nowhere(void) { return 0; }
static int known(int n, const char *text) { return text ? n : 0; }
static int f(int x, double d) {
    int y = x + 1, z = y * 2;
    static int kept = 5;
    int list[2] = { 6, x };
    int sizes[3 + 4];
    unsigned char c = (unsigned char)x;
    if (x > 7) g = 8; else g = (int)sizeof(x * 9);
    switch (x & 10) { case 11: g = 12; default: ; }
    while (x > 13) x -= 14;
    for (y = 15; y < 16; y += 17) g++;
    do g--; while (g > 18);
    b.narrow = b.narrow + 19;
    g = TWO * 20;
    g = SUM * 21;
    { DO(g += 22;) }
    g = __builtin_constant_p(23) + known(24, "a");
    if (0 && x) g = 25;
    if (nowhere() == 0) g = x ? 26 : (y = 27, y + 28);
    g = c + table[x & 3] + list[1] + (int)d + 'd' + (29 +
        30);
    &table[1] ? (void)sizes : (void)*(int *)0;
    return (g + kept) * (x - 31);
}
int main(void) { return f(0, 1.5) == 0; }
