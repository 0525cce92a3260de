/* A signal handler run by raise(): it fires in the middle of a function and
   changes volatile globals.  Ordinary code inserted into the handler, above
   all input and output, is not safe there. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 443;
static volatile sig_atomic_t received, last_number;
static volatile sig_atomic_t levels[3];
static int processed;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void on_interrupt(int number)
{
    received++;
    last_number = number;
    levels[received % 3]++;
    signal(SIGINT, on_interrupt);
}

static void on_terminate(int number)
{
    last_number = -number;
    levels[0] += 2;
    signal(SIGTERM, on_terminate);
}

static int work(int n)
{
    int i, before = received;
    unsigned state = (unsigned)n;

    for (i = 0; i < n; i++) {
        state = state * 69069u + 1u;
        if (state % 5u == 0)
            raise(SIGINT);
        else if (state % 7u == 0)
            raise(SIGTERM);
        if (received - before > 3)
            break;
        processed++;
    }
    return i * 10 + (received - before);
}

int main(void)
{
    int k;

    if (signal(SIGINT, on_interrupt) == SIG_ERR || signal(SIGTERM, on_terminate) == SIG_ERR)
        return 2;
    for (k = 1; k < 40; k += 6) {
        int w = work(k);
        printf("%d: %d, last %s\n", k, w, last_number < 0 ? "terminate" : "interrupt");
        mix((uint32_t)w);
        mix(last_number == SIGINT);
    }
    signal(SIGINT, SIG_IGN);
    raise(SIGINT);
    for (k = 0; k < 3; k++)
        mix((uint32_t)levels[k]);
    printf("received %d, processed %d\n", (int)received, processed);
    mix((uint32_t)(received + processed * 1000));
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
