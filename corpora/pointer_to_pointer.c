/* Two and three levels of pointers: lists edited through the address of a
   link, rows exchanged in a table of pointers, out parameters.  Some pointers
   are null at some points, so following all of them is not safe. */
#include <stdint.h>
#include <stdio.h>

struct link { int value; struct link *next; };

static uint32_t hash = 137;
static struct link pool[10];
static struct link *head;
static int cells[3] = { 10, 20, 30 };

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void insert_sorted(struct link **at, struct link *item)
{
    while (*at && (*at)->value < item->value)
        at = &(*at)->next;
    item->next = *at;
    *at = item;
}

static int remove_if_odd(struct link **at)
{
    int removed = 0;

    while (*at) {
        if ((*at)->value % 2) {
            *at = (*at)->next;
            removed++;
        } else {
            at = &(*at)->next;
        }
    }
    return removed;
}

static void cycle(int **a, int **b, int **c)
{
    int *t = *a;

    *a = *b;
    *b = *c;
    *c = t;
    **a += 1;
}

static int find(int wanted, const int **where)
{
    int i;

    for (i = 0; i < 3; i++)
        if (cells[i] >= wanted) {
            *where = &cells[i];
            return 1;
        }
    *where = 0;
    return 0;
}

int main(void)
{
    int *p = &cells[0], *q = &cells[1], *r = &cells[2];
    int **pp = &p, ***ppp = &pp;
    const int *spot;
    struct link *l;
    int k;

    for (k = 0; k < 10; k++) {
        pool[k].value = k * 7 % 10 + k / 5;
        insert_sorted(&head, &pool[k]);
    }
    printf("removed %d:", remove_if_odd(&head));
    for (l = head; l; l = l->next) {
        printf(" %d", l->value);
        mix((uint32_t)l->value);
    }
    putchar('\n');
    for (k = 0; k < 5; k++) {
        cycle(&p, &q, &r);
        ***ppp += k;
        *ppp = k & 1 ? &q : &r;
        mix((uint32_t)(*p * 3 + *q * 5 + *r * 7));
        mix((uint32_t)(**pp - ***ppp));
    }
    for (k = 5; k < 60; k += 9) {
        if (find(k, &spot))
            mix((uint32_t)*spot);
        else
            mix(spot == 0);
    }
    printf("cells %d %d %d\n", cells[0], cells[1], cells[2]);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
