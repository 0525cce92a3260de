enum { FIRST = 1 << 2, SECOND = FIRST + 1, THIRD };
struct flags { unsigned a : 2 + 1; int list[FIRST * 2]; };
typedef int row[sizeof(int) * 2];
_Static_assert(SECOND == 5, "five");
static int table[THIRD] = { FIRST, [2] = -SECOND };
int main(void) {
    static long once = 10 * 10;
    _Static_assert(1, "");
    int plain[3 + 1] = { FIRST };
    enum { LOCAL = 3 };
    switch (plain[0]) {
    case LOCAL + 1 ... 9:
        return 0;
    case -1:
        return (int)once;
    }
    return table[0];
}
