/* Empty statements, empty blocks and empty bodies of if, else, while, for, do
   and switch, with the work done in the controlling expressions.  An inserted
   statement must not slip in between a loop header and its lone semicolon. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 8;
static int polls;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void nothing(void)
{
}

static void almost_nothing(void) { ; ; ; }

static int poll_until(int limit)
{
    return ++polls % limit == 0;
}

static unsigned length(const char *s)
{
    const char *p = s;

    while (*p++)
        ;
    return (unsigned)(p - s) - 1u;
}

static int empties(int n)
{
    int i, r = 0;;

    if (n > 3) ; else r += 1;
    if (n > 3) r += 2; else ;
    if (n++ > 3) ;
    if (n > 4) {} else { r += 4; }
    if (n > 4) { r += 8; } else {}
    for (i = 0; i < n; r += i++)
        ;
    for (i = 0; i < n; i++) {}
    for (; i > 0 && r < 1000; i--, r++) ;
    do ; while (++r % 10);
    do {} while (--i > -5);
    switch (r++) {}
    switch (r++) { default: ; }
    {}
    {;}
    { { } { ; } }
    ;;;
    return r * 100 + i + n;
}

int main(void)
{
    static const char *const names[] = { "", "a", "semicolon", "empty statement" };
    int k;

    ;
    nothing();
    almost_nothing();
    while (!poll_until(13));
    do; while (!poll_until(7));
    for (; !poll_until(5););
    printf("polls %d\n", polls);
    mix((uint32_t)polls);
    for (k = 0; k < 4; k++) {
        mix(length(names[k]));
        ;
    };
    for (k = 0; k < 8; k++) {
        int e = empties(k);
        printf("%d: %d\n", k, e);
        mix((uint32_t)e);;
    }
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
    ;
}
