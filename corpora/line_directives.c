/* Line directives in the middle of functions that claim other line numbers
   and file names, going backwards and repeating.  Positions as the compiler
   reports them do not say where in this file a statement stands. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 353;
static int visits[3];

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

#line 1
static int first(int n)
{
    int r = n;

#line 1 "grammar.y"
    if (r > 3)
#line 1 "grammar.y"
        r -= 3;
#line 1 "grammar.y"
    else
        r += 10;
    visits[0]++;
#line 5000 "no/such/directory/lexer.l"
    while (r > 8)
        r -= 2;
    return r;
}

# 77 "linemarker.c"
static int second(int n)
{
    short s = (short)(n * 3);
    int i, sum = 0;

# 3 "linemarker.c" 1
    for (i = 0; i < s; i++) {
# 3 "linemarker.c" 2
        sum += i;
        visits[1]++;
#line 2147483
        if (sum > 20)
            break;
    }
    return sum * 10 + i;
}

#define START 40
#line START "macro.c"
static int third(int n)
{
    unsigned char b = (unsigned char)(n * 99);

    switch (b & 3) {
#line 12
    case 0: b++; break;
#line 12
    case 1: b--; break;
#line 12
    default: visits[2]++; b ^= 0x0f;
    }
    return b;
}

#line 58 "line_directives.c"
int main(void)
{
    int k;

    for (k = 0; k < 8; k++) {
        int a = first(k), b = second(k), c = third(k);
        printf("%d: %d %d %d\n", k, a, b, c);
        mix((uint32_t)a);
        mix((uint32_t)b);
        mix((uint32_t)c);
    }
    for (k = 0; k < 3; k++)
        mix((uint32_t)visits[k]);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
