/* Functions marked constructor and destructor run before main and after it, in
   order of their priority.  State that a mutator sets up at the head of main
   is not there yet when the first of them runs. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 509;
static int phase, table[6];
static unsigned char trace[8];
static int traced;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void note(int what)
{
    trace[traced++ & 7] = (unsigned char)what;
    mix((uint32_t)what);
}

__attribute__((constructor(201))) static void first(void)
{
    int i;

    phase = 1;
    note(11);
    for (i = 0; i < 6; i++)
        table[i] = i * i;
}

__attribute__((constructor(202))) static void second(void)
{
    note(12 + phase);
    phase = phase * 10 + 2;
    if (table[5] == 25)
        table[0] = 77;
}

__attribute__((destructor(202))) static void before_last(void)
{
    note(21);
    phase += 1000;
}

__attribute__((destructor(201))) static void last(void)
{
    int i;

    note(22);
    for (i = 0; i < traced && i < 8; i++)
        printf("%d ", trace[i]);
    printf("phase %d\n", phase);
    mix((uint32_t)phase);
    printf("checksum = %08x\n", (unsigned)hash);
}

int main(void)
{
    int k;

    note(1);
    for (k = 0; k < 6; k++) {
        printf("%d ", table[k]);
        mix((uint32_t)table[k]);
        phase += k & 1;
    }
    printf("in main, phase %d\n", phase);
    return 0;
}
