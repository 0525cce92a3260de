/* Structures that end in a flexible array member, allocated with room for n
   elements.  The type does not tell the length, and copying the structure by
   value leaves the array out. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct packet {
    unsigned short length;
    unsigned char kind;
    int payload[];
};

struct text { int used; char letters[]; };

static uint32_t hash = 109;
static int live;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static struct packet *make(int n, unsigned char kind)
{
    struct packet *p = malloc(sizeof *p + (size_t)n * sizeof p->payload[0]);
    int i;

    if (!p)
        exit(3);
    live++;
    p->length = (unsigned short)n;
    p->kind = kind;
    for (i = 0; i < n; i++)
        p->payload[i] = i * kind - n;
    return p;
}

static void drop(struct packet *p)
{
    live--;
    free(p);
}

static int total(const struct packet *p)
{
    int i, sum = p->kind;

    for (i = 0; i < p->length; i++)
        sum += p->payload[i];
    return sum;
}

static struct packet *joined(const struct packet *a, const struct packet *b)
{
    struct packet *p = make(a->length + b->length, (unsigned char)(a->kind ^ b->kind));
    int i, at = 0;

    for (i = 0; i < a->length; i++)
        p->payload[at++] = a->payload[i];
    for (i = 0; i < b->length; i++)
        p->payload[at++] = b->payload[i];
    return p;
}

int main(void)
{
    struct packet *list[5], *both;
    struct packet head;
    struct text *t = malloc(offsetof(struct text, letters) + 6);
    int k;

    if (!t)
        return 3;
    for (t->used = 0; t->used < 6; t->used++)
        t->letters[t->used] = (char)('f' - t->used);
    for (k = 0; k < 5; k++)
        list[k] = make(k * 2, (unsigned char)(k + 3));
    for (k = 0; k < 4; k++) {
        both = joined(list[k], list[k + 1]);
        head = *both;
        printf("length %d, kind %d, total %d\n", head.length, head.kind, total(both));
        mix((uint32_t)total(both));
        mix(head.length);
        drop(both);
    }
    for (k = 0; k < 5; k++)
        drop(list[k]);
    while (t->used > 0)
        mix((unsigned char)t->letters[--t->used]);
    free(t);
    mix((uint32_t)live);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
