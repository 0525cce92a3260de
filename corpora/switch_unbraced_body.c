/* Switch statements whose body is no compound statement: a lone labelled
   statement, a loop, an if, or nothing.  There is no brace pair to insert
   into, and a block placed before the case label is never reached. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 40503u;
static int hits;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int lone_case(int n)
{
    int r = n;

    switch (n) case 3: r = 33;
    switch (n)
    case 4: case 5:
        r += 1000;
    switch (n) default: hits++;
    switch (n);
    switch (hits++) ;
    return r;
}

static int loop_body(int start)
{
    int i = start, sum = 0;

    switch (start)
    while (i < 10) {
    case 2:
        sum += i;
    case 4:
        sum += 100;
        i += 3;
    }
    return sum * 16 + i;
}

static int if_body(int n, int flag)
{
    int r = 0;

    switch (n)
        if (flag)
    case 1:
            r = 10;
        else
    case 2:
            r = 20;
    return r;
}

static int for_body(unsigned n)
{
    unsigned i = 0;
    int r = 0;

    if (n < 4)
        switch (n)
            for (;;) {
                if (i++ > n)
                    break;
            case 3: r += 7;
            case 1: r += 2;
            }
    else
        r = -1;
    return r;
}

int main(void)
{
    int n;

    for (n = 0; n < 7; n++) {
        int a = lone_case(n), b = loop_body(n), c = if_body(n, n & 1);
        int d = for_body((unsigned)n);
        printf("%d: %d %d %d %d\n", n, a, b, c, d);
        mix((uint32_t)a);
        mix((uint32_t)b);
        mix((uint32_t)c);
        mix((uint32_t)d);
    }
    mix((uint32_t)hits);
    printf("hits %d\n", hits);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
