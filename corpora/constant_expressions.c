/* Places that demand constant expressions: array bounds, case labels, enum
   values, bit-field widths, static initialisers, designators.  Replacing a
   constant there by a variable of equal value does not compile. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define BITS(n) (1u << (n))

enum { BASE = 7, WIDTH = BASE / 2 + 1, ROOM = WIDTH * WIDTH - 'A' % 10 };

struct fields { unsigned a : WIDTH; unsigned b : sizeof(int) + 1; int c : BASE; };

struct row { short first[BASE - 1], last; };

static uint32_t hash = 491;
static int storage[ROOM + 2];
static int *const middle = &storage[ROOM / 2];
static const int distance = offsetof(struct row, last) / sizeof(short);
static unsigned masks[] = { BITS(0), BITS(BASE), ~BITS(31), BASE > 3 ? 30u : 40u, [WIDTH + 2] = -1 };
static struct fields initial = { BITS(WIDTH) - 1, 0x15, -(1 << (BASE - 1)) };
static double ratio = BASE * 1.5;
static const char message[WIDTH + 5] = "const" "ant";

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int select_case(int n)
{
    enum { LOCAL = ROOM + 1 };
    static short calls[LOCAL] = { [LOCAL - 1] = LOCAL };

    calls[n % LOCAL]++;
    switch (n) {
    case BASE: return 1;
    case WIDTH + BASE * 2: return 2;
    case sizeof(short): return 3;
    case 'a' - 'A': return 4;
    case (BASE > WIDTH ? 3 : 5): return 5;
    case (int)2.9 - 2: return 6;
    default: return calls[LOCAL - 1];
    }
}

int main(void)
{
    char local[sizeof(struct fields) > 2 ? WIDTH : -1] = { 0 };
    unsigned k;

    for (k = 0; k < sizeof masks / sizeof masks[0]; k++)
        mix(masks[k]);
    for (k = 0; k < 34u; k++) {
        int s = select_case((int)k);
        storage[k % (sizeof storage / sizeof storage[0])] += s;
        local[k % sizeof local] = (char)(local[k % sizeof local] + s % 5);
        mix((uint32_t)s);
    }
    *middle -= distance;
    initial.a--;
    initial.b++;
    printf("%d %d %d %d %g %s\n", *middle, initial.a, initial.b, initial.c, ratio, message);
    for (k = 0; k < sizeof storage / sizeof *storage; k++)
        mix((uint32_t)storage[k]);
    for (k = 0; k < sizeof local; k++)
        mix((unsigned char)local[k]);
    mix(initial.a + initial.b * 16u + (uint32_t)initial.c * 1024u);
    mix((unsigned char)message[WIDTH + 2]);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
