#define DO(s) s
#define END ;
int g;
static int f(int x) {
    int y = 1;
    if (x) g = 1; else g = 2;
    switch (x) { case 1: g = 3; break; case 2: g = 4; default: ; }
    while (x > 9) { if (x == 11) break; x--; }
    for (y = 0; y < 3; y++) { if (y == 1) continue; g += y; }
    do { { switch (g) { case 5: break; default: g++; } if (g > 6) { break; } } } while (g < 7);
    if (x > 5) { again: g = 5; x--; }
    if (x > 4) goto again;
    { int inner = y; g += inner; }
    g = 6 END
    ;
    (void)(int[]){ 1 };
    return g;
}
int main(void) { return f(0) - 6; }
