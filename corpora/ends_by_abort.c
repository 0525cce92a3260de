/* mestra-run: 9 */
/* mestra-run: 40 */
/* Ends by abort() after it has flushed its output, from a handler that finds
   broken data.  Death by signal is its expected end, and whatever a mutator
   wants to print at exit must have been written before. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct frame { unsigned char kind; short size; struct frame *below; };

static uint32_t hash = 431;
static volatile sig_atomic_t aborting;
static int depth;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void on_abort(int number)
{
    aborting = number == SIGABRT;
    /* Returning lets abort() end the program. */
}

static void panic(const char *why, int value)
{
    printf("panic: %s (%d)\n", why, value);
    mix((uint32_t)value);
    printf("checksum = %08x\n", (unsigned)hash);
    fflush(stdout);
    abort();
}

static int check(const struct frame *f)
{
    int total = 0;

    for (; f; f = f->below) {
        if (f->kind > 5)
            panic("unknown kind", f->kind);
        total += f->size;
        if (total > 200)
            panic("too large", total);
    }
    return total;
}

static int grow(struct frame *below, int limit)
{
    struct frame f;
    int checked;

    f.kind = (unsigned char)(depth % 7);
    f.size = (short)(depth * depth - 3);
    f.below = below;
    if (f.kind == 6)
        f.kind = (unsigned char)(limit > 20 ? 6 : 0);
    checked = check(&f);
    mix((uint32_t)checked);
    printf("depth %d: %d\n", depth, checked);
    if (++depth > limit)
        panic("limit reached", depth);
    return grow(&f, limit) + 1;
}

int main(int argc, char **argv)
{
    int limit = argc > 1 ? atoi(argv[1]) : 5;

    signal(SIGABRT, on_abort);
    printf("limit %d\n", limit);
    return grow(NULL, limit);
}
