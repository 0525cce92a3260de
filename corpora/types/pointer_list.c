/* A list on the heap: inserted in order, turned round, freed. */
#include <stdlib.h>
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

struct node { int value; struct node *next; };

static struct node *insert(struct node *list, int value)
{
    struct node **at = &list, *made = malloc(sizeof *made);
    if (!made)
        abort();
    while (*at && (*at)->value < value)
        at = &(*at)->next;
    made->value = value;
    made->next = *at;
    *at = made;
    return list;
}

static struct node *reversed(struct node *list)
{
    struct node *result = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = result;
        result = list;
        list = next;
    }
    return result;
}

int main(void)
{
    struct node *list = NULL;
    int i;
    for (i = 0; i < 10; i++)
        list = insert(list, i * 7 % 10);
    list = reversed(list);
    while (list) {
        struct node *next = list->next;
        add((unsigned)list->value);
        free(list);
        list = next;
    }
    printf("checksum = %08x\n", sum);
    return 0;
}
