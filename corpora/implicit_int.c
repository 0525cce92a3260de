/* mestra-flags: -std=gnu89 */
/* Declarations without a type, functions without a return type, calls of
   functions not declared before, and results that nobody looks at.  Only the
   old standard accepts this, so nothing may be parsed as a newer one. */
#include <stdio.h>

static hash = 283;
static seen[4];
counter;
const limit = 30;

mix(v)
    unsigned v;
{
    hash = (int)(((unsigned)hash ^ v) * 16777619u % 1000003u);
    return hash;
}

maximum(a, b)
{
    if (a > b)
        return a;
    return b;
}

static digits(n)
{
    auto count = 0;
    register rest = n;

    do {
        rest /= 10;
        count++;
    } while (rest);
    return count;
}

note(n)
    register n;
{
    static last, unsigned_turns;

    seen[n & 3] += n - last;
    last = n;
    unsigned_turns++;
    counter += unsigned_turns;
    if (n > 20)
        counter--;
    return last;
}

main()
{
    auto i;
    const step = 3;
    unsigned u = 5;
    long wide;

    for (i = 0; i < limit; i += step) {
        note(i);
        u = u * 7 + i;
        wide = defined_later(i, u % 50);
        mix((unsigned)wide);
        mix((unsigned)maximum(i, (int)(u % 40)));
        if (digits(i * i) > 2)
            break;
    }
    for (i = 0; i < 4; i++) {
        printf("seen %d\n", seen[i]);
        mix((unsigned)seen[i]);
    }
    mix((unsigned)counter);
    printf("counter %d, u %u\n", counter, u);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}

defined_later(a, b)
    int a;
    unsigned b;
{
    return a * 3 - (int)b;
}
