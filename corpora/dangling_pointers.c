/* Pointer variables that outlive what they point to: freed blocks, ended
   scopes, moved buffers.  They stay visible, but even reading their value is
   undefined until they are assigned again. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct buffer { int *data; unsigned used, room; };

static uint32_t hash = 151;
static int *last_freed_cell, growths;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void add(struct buffer *b, int v)
{
    if (b->used == b->room) {
        int *old = b->data;
        unsigned i;

        b->room = b->room * 2u + 1u;
        b->data = malloc(b->room * sizeof *b->data);
        if (!b->data)
            exit(3);
        for (i = 0; i < b->used; i++)
            b->data[i] = old[i];
        free(old);
        growths++;
        /* `old` is still in scope here, and dangling unless it was null. */
        mix(b->room);
    }
    b->data[b->used++] = v;
}

static int ended_scope(int n)
{
    int *p;
    int kept = 0, i;

    for (i = 0; i < n; i++) {
        int local = i * 3 + 1;
        p = &local;
        kept += *p;
    }
    /* `p` points to no object any more. */
    kept *= 2;
    p = &kept;
    *p += 5;
    return kept;
}

static int global_dangles(int v)
{
    int *cell = malloc(sizeof *cell);
    int r;

    if (!cell)
        exit(3);
    *cell = v;
    last_freed_cell = cell;
    r = *last_freed_cell + 1;
    free(cell);
    /* Both `cell` and the global now dangle. */
    r *= 3;
    return r;
}

int main(void)
{
    struct buffer b = { NULL, 0, 0 };
    int *front;
    int k;

    for (k = 0; k < 20; k++)
        add(&b, k * k - 30);
    front = b.data;
    for (k = 0; k < 20; k++)
        mix((uint32_t)front[k]);
    add(&b, 1000), add(&b, 2000);
    for (; b.used < 33u; k++)
        add(&b, k);
    /* `front` was left behind by the growth. */
    mix((uint32_t)b.data[b.used - 1u]);
    for (k = 0; k < 5; k++) {
        mix((uint32_t)ended_scope(k));
        mix((uint32_t)global_dangles(k));
    }
    free(b.data);
    printf("growths %d, used %u\n", growths, b.used);
    mix((uint32_t)growths);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
