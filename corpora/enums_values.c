/* Enumerations with negative, repeated, computed and large values, used as
   indices, loop bounds, flags and case labels.  Their integer type is up to
   the compiler, and the constants are no objects that can be assigned. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

enum temperature { FREEZING = -40, COLD = -5, MILD = 10, WARM, HOT = WARM + 20 };
enum limits { SMALLEST = INT_MIN, BIGGEST = INT_MAX, NEXT_TO = BIGGEST - 1 };
enum flags { NONE, A = 1 << 0, B = 1 << 1, C = 1 << 4, ALL = A | B | C };
enum alias { FIRST, SECOND, ALSO_SECOND = SECOND, THIRD, LETTER = 'x', SIZE = sizeof(int) };
enum unsigned_big { TOP = 0xffffffffu, LOWER = 0x80000000u };

struct reading { enum temperature t; enum flags f : 6; };

static uint32_t hash = 167;
static enum alias current = THIRD;
static int by_alias[THIRD + 1] = { [FIRST] = 5, [ALSO_SECOND] = 6, [THIRD] = 7 };

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static const char *describe(enum temperature t)
{
    switch (t) {
    case FREEZING: return "freezing";
    case COLD: return "cold";
    case MILD: case WARM: return "pleasant";
    case HOT: return "hot";
    default: return t < 0 ? "below" : "between";
    }
}

static enum flags toggle(enum flags f, int n)
{
    enum { STEP = 3 };

    if (n % STEP == 0)
        f ^= A;
    else if (n % STEP == 1)
        f = (enum flags)(f | B);
    else
        f = (enum flags)(f & ~(unsigned)B) ^ C;
    return f;
}

static int span(enum limits l)
{
    return l == SMALLEST ? -1 : l == BIGGEST ? 1 : (int)(BIGGEST - l);
}

int main(void)
{
    enum temperature t;
    struct reading r = { MILD, NONE };
    unsigned top = TOP;
    int k;

    for (t = FREEZING; t <= HOT; t += 5) {
        printf("%d %s\n", t, describe(t));
        mix((uint32_t)t);
        mix((unsigned char)describe(t)[0]);
    }
    for (k = 0; k < 9; k++) {
        r.f = toggle(r.f, k);
        r.t = r.f == ALL ? HOT : r.f & C ? COLD : FREEZING;
        mix((uint32_t)r.f * 1000u + (uint32_t)(r.t + 50));
    }
    mix((uint32_t)(span(SMALLEST) + span(BIGGEST) * 10 + span(NEXT_TO) * 100));
    mix(top - LOWER);
    current = current == THIRD ? FIRST : SECOND;
    mix((uint32_t)(by_alias[current] + by_alias[SECOND] + LETTER + SIZE));
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
