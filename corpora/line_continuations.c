/* Backslash line ends inside keywords, numbers, operators, strings and
   directives.  A token may spread over lines, so neither its text nor the
   columns after it can be taken from a single line. */
#include <stdint.h>
#include <stdio.h>

static uint32_t ha\
sh = 3\
83;
static int cou\
nt\
er = 0x\
1f;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 1677\
7619u;
}

#define ADD(a, b) \
    ((a) \
     + (b))
#def\
ine LIMIT 2\
0

static int work(int n)
{
    int r = 0;

    i\
f (n > 3) r +\
= 5; el\
se r -\
= 2;
    wh\
ile (r < 1\
2) \
        r +\
+;
    for (int i = 0; i <\
= 4; i+\
+) { r ^\
= i <\
< 2; cou\
nter -\
- ; }
    swi\
tch (n & 1) { ca\
se 0: r = ADD(r, LIM\
IT); br\
eak; default: r >>\
= 1; }
    retu\
rn r /\
* a comment mark that is split *\
/ + 1;
}

static int jump(short n)
{
la\
bel: n = (short)(n - 3); if (n > 0) go\
to label;
    return n; // carried on \
    return 99;
}

int main(void)
{
    const char *text = "one \
string\
 only\
", *p;
    int k;

    for (k = 0; k < 9; k++) {
        int w = work(k), j = jump((short)k);
        printf("%d: %d %d\n", k, w, j);
        mix((uint32_t)w); mix((uint32_t)j);
    }
    for (p = text; *p; p++)
        mix((unsigned char)*p);
    mix((uint32_t)counter + '\
x');
    printf("%s, counter %d\n", text, counter);
    printf("checksum = %08x\n", (unsigned)hash);
    ret\
urn 0;
}
