/* Structures declared long before they are completed, mutually pointing ones,
   and a type that stays incomplete to the end.  At points before completion a
   mutator must not read fields or take the size. */
#include <stdint.h>
#include <stdio.h>

struct node;
struct edge;
struct never_completed;
union cell;

static struct node *first_node(void);
static int weight_of(const struct edge *e);
static int tagged(const union cell *c, int tag);
static struct never_completed *nothing;

static uint32_t hash = 43;
static int visited;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

/* Only pointers are possible here. */
static int is_first(const struct node *n)
{
    visited++;
    return n == first_node();
}

struct edge {
    struct node *to;
    short cost;
    struct edge *next;
};

struct node {
    int id;
    struct edge *edges;
    unsigned seen : 1, marks : 5;
};

union cell {
    int number;
    unsigned char letters[4];
};

static struct node nodes[4];
static struct edge edges[5] = {
    { &nodes[1], 7, &edges[1] }, { &nodes[2], 3, 0 },
    { &nodes[3], 9, 0 }, { &nodes[3], 2, &edges[4] }, { &nodes[0], 1, 0 },
};

static struct node *first_node(void)
{
    return nodes;
}

static int weight_of(const struct edge *e)
{
    return e ? e->cost + weight_of(e->next) : 0;
}

static int tagged(const union cell *c, int tag)
{
    return tag ? c->number : c->letters[0] + c->letters[3];
}

static int walk(struct node *n, int budget)
{
    struct edge *e;
    int best = 0;

    if (n->seen || budget <= 0)
        return 0;
    n->seen = 1;
    n->marks = (n->marks + 3u) & 31u;
    for (e = n->edges; e; e = e->next) {
        int length = e->cost + walk(e->to, budget - e->cost);
        if (length > best)
            best = length;
    }
    n->seen = 0;
    mix((uint32_t)(n->id * 100 + best));
    return best;
}

int main(void)
{
    union cell c = { 0x01010101 };
    int k;

    for (k = 0; k < 4; k++)
        nodes[k].id = k + 1;
    nodes[0].edges = &edges[0];
    nodes[1].edges = &edges[2];
    nodes[2].edges = &edges[3];
    for (k = 0; k < 4; k++) {
        int w = walk(&nodes[k], 25);
        printf("from %d: %d, first %d, weight %d\n", nodes[k].id, w,
               is_first(&nodes[k]), weight_of(nodes[k].edges));
        mix((uint32_t)w);
        mix(nodes[k].marks);
    }
    mix((uint32_t)(tagged(&c, 0) + tagged(&c, 1) + visited + (nothing == 0)));
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
