/* Handlers registered with atexit run in reverse order after main, one of them
   registered twice and one only shortly before the exit.  The checksum comes
   from the last handler, so leaving main is not the end of the program. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t hash = 433;
static int handlers_run;
static unsigned char order[8];
static long long balance = 1000;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void note(unsigned char which)
{
    order[handlers_run & 7] = which;
    handlers_run++;
    mix(which);
}

static void last(void)
{
    int i;

    note(1);
    for (i = 0; i < handlers_run && i < 8; i++)
        printf("%d ", order[i]);
    printf("balance %lld\n", balance);
    mix((uint32_t)balance);
    printf("checksum = %08x\n", (unsigned)hash);
}

static void doubled(void)
{
    note(2);
    balance = balance * 2 - handlers_run;
}

static void late(void)
{
    note(4);
    balance -= 77;
}

static void early(void)
{
    note(3);
    balance += 5;
}

static int work(int n)
{
    int i, done = 0;

    for (i = 0; i < n; i++) {
        balance -= i * 3;
        if (balance % 7 == 0)
            continue;
        done++;
    }
    if (n > 5) {
        if (atexit(late) != 0)
            note(99);
        exit(done & 15);
    }
    return done;
}

int main(void)
{
    int k;

    if (atexit(last) || atexit(doubled) || atexit(early) || atexit(doubled))
        return 50;
    for (k = 0; k < 10; k++) {
        int w = work(k);
        printf("%d: %d\n", k, w);
        mix((uint32_t)w);
    }
    return 51;
}
