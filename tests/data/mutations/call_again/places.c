int g = 3, table[4] = { 1, 2, 3, 4 };
volatile int port;
static int plain(int x, unsigned char y) { int i, sum = y; for (i = 0; i < 3; i++) sum += table[i] * x; return sum; }
static int writes(int x) { g += x; return g; }
static int counts(void) { static int calls; return ++calls; }
static int outside(int x) { return writes(x); }
static int through(int *p) { return *p; }
static int port_of(int x) { return x + port; }
static int buffered(int x) { int buffer[2]; buffer[0] = x; return buffer[0]; }
static unsigned char narrow(int x) { return x + g; }
int main(void) {
    int x = plain(1, 2), y = plain(g, 1), z;
    z = writes(1);
    z = counts();
    z = outside(1);
    z = through(&g);
    z = port_of(1);
    z = buffered(1);
    z = plain(x++, 1);
    z = plain(3, 1) + writes(0);
    z = x + plain(4, (unsigned char)plain(5, 6));
    x += narrow(7);
    z = plain(8,
        9);
    while (plain(0, 0) > 9) x--;
    return plain(x & y & 1, 0) == z;
}
