#define TWICE(x) ((x) * 2)
typedef unsigned word;
struct pair { int a, b; };
int g, table[4];
static int early(int x) { return x + 1; }
/* Before this function there is a comment. */
static int f(int x, const char *text) {
    typedef int local;
    int y = 1, *to = &y;
    register int quick = 2;
    volatile int seen = 3;
    word list[2] = { 4, 5 };
    struct pair p = { 6, 7 };
    static long kept = 8;
    int *const fixed = to;
    const int limit = 8;
    g = 9;
    y += early(x) + table[x & 3];
    { int inner = y; inner++; kept += inner; }
    { int y = 10; g += y; }
    if (x > y) x--; else *to = 11;
    for (y = 0; y < 12; y++) g += TWICE(13);
    for (y = 0; y < 14; y++) { if (y == 15) break; x ^= y; }
    while (x > 16) { if (y) return 17; x--; }
    g += quick + 18;
    g += seen + 19;
    g += (int)list[1] + 20;
    p.b = p.a + 21;
    g += (local)22;
    g += (int)(word)y + (int)sizeof y + 23;
    g += text[0] + 24;
    g += *fixed + 25;
    g += limit + 34;
    if (x) { g = 26;
        y = 27; }
    do { if (x) continue; g = 28; } while (0);
    if (y) goto out;
    g += p.b + f(0, text) + (int)__builtin_abs(29);
out:
    return g;
}
__attribute__((unused))
/* Belongs to what follows. */
static int k(int x) { x += 35; return x; }
int late(int x) { return x; }
static inline int g2(int x) { x++; return x; }
int h(int x) { x += 30; return x; } int i(int x) { x += 31; return x; }
#pragma GCC optimize("O1")
int j(int x) { x += 32; return x; }
int main(void) { int argument = 33; argument++; return f(0, "a") == 0 && argument == 0; }
