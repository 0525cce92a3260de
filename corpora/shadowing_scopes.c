/* The same names redeclared with other types in nested blocks, hiding
   parameters and globals, also while the outer one is still wanted.  A
   variable read by name at another point may be a different object. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 13;
static int value = 1000;
static unsigned char level = 200;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int read_global(void)
{
    return value;
}

static int shadow(int value, short n)
{
    int result = value;

    {
        unsigned value = 7;
        result += (int)value;
        {
            signed char value = -3;
            result += value * n;
            {
                extern int shared_value;
                int n = shared_value;
                result += n;
                value = (signed char)(value - 1);
            }
            result += value;
        }
        value *= 2u;
        result += (int)value;
    }
    value += read_global();
    return result * 2 + value;
}

int shared_value = 29;

static int type_changes(int level)
{
    int r = level;

    if (level > 2) {
        long long level = 1LL << 33;
        r += (int)(level >> 30);
        if (r > 8) {
            struct { int level; unsigned inner : 4; } value = { r, 9 };
            r += value.level - value.inner;
        } else {
            int value[2] = { 1, r };
            r += value[0] - value[1];
        }
    } else {
        int read_global = 6;
        r -= read_global;
    }
    return r;
}

/* The new name is in scope from its own declarator on. */
static int in_own_initialiser(void)
{
    int x = 5;
    {
        int y = x, x = y + 1, z = x * 2;
        y += z;
        mix((uint32_t)(x + y));
    }
    return x;
}

int main(void)
{
    int k, value = 2;

    for (k = 0; k < 6; k++) {
        int level = k * value;
        int a = shadow(level, (short)k), b = type_changes(level);
        printf("%d %d %d\n", k, a, b);
        mix((uint32_t)a);
        mix((uint32_t)b);
        value += a % 3;
    }
    mix((uint32_t)in_own_initialiser());
    mix((uint32_t)(value + level + read_global()));
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
