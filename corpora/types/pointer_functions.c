/* Functions by pointers, in a table and as arguments. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

static int twice(int x) { return 2 * x; }
static int less(int x) { return x - 3; }
static int odd(int x) { return x % 2 != 0; }

static int applied(int (*const *list)(int), int count, int x)
{
    while (count--)
        x = list[count](x);
    return x;
}

int main(void)
{
    int (*table[3])(int);
    int i;
    table[0] = twice;
    table[1] = less;
    table[2] = twice;
    for (i = 0; i < 12; i++) {
        add((unsigned)applied(table, 3, i));
        table[i % 3] = i % 4 ? less : twice;
    }
    table[0] = odd;
    add((unsigned)applied(table, 1, 7));
    printf("checksum = %08x\n", sum);
    return 0;
}
