/* Non-void functions that end in an infinite loop or a call that never
   returns, so no return statement closes them.  Code appended at the end is
   unreachable, and turning the loop into a finite one would be undefined. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t hash = 21;
static unsigned state = 1;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static unsigned step(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 24;
}

static int wait_for(unsigned wanted)
{
    int turns = 0;

    for (;;) {
        turns++;
        if (step() == wanted)
            return turns;
    }
}

static int root(int n)
{
    int low = 0, high = 1000;

    while (1) {
        int middle = (low + high) / 2;
        if (high - low <= 1)
            return low;
        if (middle * middle <= n)
            low = middle;
        else
            high = middle;
    }
}

static char next_letter(const char **at)
{
    do {
        char c = *(*at)++;
        if (c == 0) {
            --*at;
            return '.';
        }
        if (c >= 'a' && c <= 'z')
            return c;
    } while (1);
}

static int jump_forever(int n)
{
again:
    if (n % 11 == 3)
        return n;
    n += 5;
    goto again;
}

__attribute__((noreturn)) static void finish(int code)
{
    printf("checksum = %08x\n", (unsigned)hash);
    exit(code);
}

static int must_not_return(int n)
{
    if (n > 0)
        return n - 1;
    finish(0);
}

int main(void)
{
    const char *text = "a1 b2-c3 d";
    unsigned w;
    int n = 5;

    for (w = 0; w < 256; w += 51)
        mix((uint32_t)wait_for(w));
    mix((uint32_t)root(1000));
    mix((uint32_t)root(998001));
    for (w = 0; w < 6; w++)
        mix((unsigned char)next_letter(&text));
    mix((uint32_t)jump_forever(4));
    printf("root %d, jump %d, state %u\n", root(123456), jump_forever(100), state);
    while (1) {
        n = must_not_return(n);
        mix((uint32_t)n);
    }
}
