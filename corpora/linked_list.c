/* A linked list on malloc with insertion, reversal, merge sort and disposal.
   Pointers to freed nodes stay in scope for a while, and an inserted early
   exit or repeated call shows up as a leak or a double free. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct item {
    int key;
    unsigned short order;
    struct item *next;
} item;

static uint32_t hash = 149;
static int alive, comparisons;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static item *push(item *list, int key)
{
    item *new_item = malloc(sizeof *new_item);

    if (new_item == NULL)
        exit(3);
    new_item->key = key;
    new_item->order = (unsigned short)alive++;
    new_item->next = list;
    return new_item;
}

static item *reverse(item *list)
{
    item *done = NULL;

    while (list) {
        item *rest = list->next;
        list->next = done;
        done = list;
        list = rest;
    }
    return done;
}

static item *merge(item *a, item *b)
{
    item first, *tail = &first;

    while (a && b) {
        comparisons++;
        if (a->key <= b->key)
            tail->next = a, tail = a, a = a->next;
        else
            tail->next = b, tail = b, b = b->next;
    }
    tail->next = a ? a : b;
    return first.next;
}

static item *sort(item *list)
{
    item *slow = list, *fast, *second;

    if (!list || !list->next)
        return list;
    for (fast = list->next; fast && fast->next; fast = fast->next->next)
        slow = slow->next;
    second = slow->next;
    slow->next = NULL;
    list = sort(list);
    return merge(list, sort(second));
}

static int dispose(item *list)
{
    int count = 0;

    while (list) {
        item *gone = list;
        list = list->next;
        free(gone);
        count++;
        alive--;
    }
    return count;
}

int main(void)
{
    item *list = NULL, *at;
    unsigned x = 7;
    int k;

    for (k = 0; k < 40; k++) {
        x = x * 1103515245u + 12345u;
        list = push(list, (int)(x >> 20 & 63u) - 20);
    }
    list = reverse(list);
    for (at = list; at; at = at->next)
        mix((uint32_t)at->key);
    list = sort(list);
    for (at = list, k = 0; at; at = at->next, k++) {
        mix((uint32_t)at->key * 64u + at->order);
        if (k % 8 == 0)
            printf("%d:%d ", at->key, at->order);
    }
    printf("\ncomparisons %d\n", comparisons);
    k = dispose(list);
    mix((uint32_t)(k * 100 + alive + comparisons));
    printf("disposed %d, alive %d\n", k, alive);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
