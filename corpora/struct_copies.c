/* Whole-structure assignment: chains, copies through pointers, swaps, self
   assignment, arrays copied inside structures, copies that carry members
   without a value.  Copies are not the object they were made from. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct cell { int value; struct cell *link; unsigned char tags[3]; };
struct block { short data[6]; };

static uint32_t hash = 107;
static struct cell cells[4];
static struct block saved;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void swap(struct cell *a, struct cell *b)
{
    struct cell t = *a;

    *a = *b;
    *b = t;
}

static int detached(struct cell *c)
{
    struct cell copy = *c, *alias = c;

    copy.value += 10;
    alias->value += 1;
    copy.tags[0] = 9;
    return copy.value - c->value + copy.tags[0] - c->tags[0];
}

static void rotate(struct block *b)
{
    struct block old;
    int i;

    old = *b;
    for (i = 0; i < 6; i++)
        b->data[i] = old.data[(i + 1) % 6];
    *b = *b;
}

static int partial(int n)
{
    struct cell a, b;

    a.value = n;
    a.tags[1] = (unsigned char)(n * 2);
    b = a;
    b.value -= 3;
    return a.value * 100 + b.value + b.tags[1];
}

int main(void)
{
    struct block x = { { 1, 2, 3, 4, 5, 6 } }, y, z;
    struct cell *at;
    int k;

    for (k = 0; k < 4; k++) {
        cells[k].value = k * k + 1;
        cells[k].link = &cells[(k + 1) % 4];
        cells[k].tags[k % 3] = (unsigned char)(k + 100);
    }
    swap(&cells[0], &cells[2]);
    swap(&cells[1], &cells[1]);
    for (k = 0, at = cells; k < 7; k++, at = at->link) {
        mix((uint32_t)at->value);
        mix((uint32_t)detached(at));
        mix(at->tags[0] + at->tags[1] * 2u + at->tags[2] * 3u);
    }
    z = y = saved = x;
    for (k = 0; k < 4; k++) {
        rotate(k & 1 ? &y : &z);
        mix((uint32_t)(y.data[0] * 10 + z.data[5] + saved.data[k]));
    }
    memcpy(&saved, &y, sizeof saved);
    printf("%d %d %d, equal %d\n", y.data[0], z.data[0], x.data[0],
           memcmp(&saved, &y, sizeof y) == 0);
    for (k = 0; k < 5; k++)
        mix((uint32_t)partial(k));
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
