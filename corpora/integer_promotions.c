/* Arithmetic on types narrower than int: everything is promoted first, and
   only the assignment narrows again.  Splitting an expression with temporaries
   of the operand type loses the high bits. */
#include <stdint.h>
#include <stdio.h>

struct sensor { unsigned char raw; signed char trim; unsigned short gain; short bias; };

static uint32_t hash = 191;
static unsigned char a = 200, b = 100;
static short s = -30000;
static unsigned short us = 60000;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int promoted(void)
{
    int r = 0;

    r += (a + b) / 2;                       /* 150, not 22 */
    r += (unsigned char)(a + b) / 2;        /* 22 */
    r += ~b & 0xff;
    r += -a < 0;
    r += (a << 4) >> 4;
    r += (b - a) < 0 ? 1000 : 2000;
    r += s - 30000 < -50000 ? 4000 : 8000;
    r += (us + us) / 3;
    r += ((unsigned char)~a) >> 2;
    r += !a + !!b;
    return r;
}

static int read_sensor(struct sensor x)
{
    int level = x.raw * x.gain / 256 + x.trim;
    unsigned char squeezed = (unsigned char)(level);
    short shifted = (short)(x.bias - squeezed);

    return level * 3 + squeezed + (shifted >> 2);
}

static int compound(unsigned char c, short h)
{
    unsigned char before = c;

    c += 100;
    c *= 3;
    c = (unsigned char)(c >> 1);
    h = (short)(h - c);
    h /= -3;
    h ^= before;
    c++;
    c--;
    c = (unsigned char)-c;
    return c * 1000 + h;
}

static _Bool truth(int n)
{
    _Bool t = n & 4;

    t += n & 1;
    return t;
}

int main(void)
{
    struct sensor x = { 250, -7, 4096, 32000 };
    int k;

    printf("promoted %d\n", promoted());
    mix((uint32_t)promoted());
    for (k = 0; k < 10; k++) {
        int r = read_sensor(x), c = compound(x.raw, x.bias);
        printf("%d: %d %d %d\n", k, r, c, truth(k));
        mix((uint32_t)r);
        mix((uint32_t)c);
        mix(truth(k));
        x.raw -= 29;
        x.trim = (signed char)(x.trim / 2 + k);
        x.gain *= 5;
        x.bias = (short)(x.bias - 7001);
        a = (unsigned char)(a * b + x.raw);
    }
    mix((uint32_t)promoted());
    mix((uint32_t)(1 ? (unsigned char)255 : (signed char)-1));
    mix((uint32_t)sizeof(a + b) + (uint32_t)sizeof(+s) * 16u + (uint32_t)sizeof a * 256u);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
