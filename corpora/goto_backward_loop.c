/* Loops built only from labels and backward gotos, among them two loops that
   overlap without nesting.  Inserting before a labelled statement must keep
   the label attached to the whole of what the jump repeats. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 5381;

static void mix(uint32_t v)
{
    hash = (hash << 5) + hash + v;
}

static unsigned collatz(unsigned n)
{
    unsigned steps = 0;

again:
    if (n == 1)
        goto done;
    n = (n & 1u) ? 3u * n + 1u : n / 2u;
    steps++;
    goto again;
done:
    return steps;
}

static int gcd(int a, int b)
{
    int t;

top: if (b == 0) return a;
    t = a % b; a = b; b = t; goto top;
}

/* Two loops whose ranges overlap: neither contains the other. */
static int overlapping(int limit)
{
    int a = 0, b = 0;
    int rounds = 0;

first:
    a += 3;
    rounds++;
second:
    b += 2;
    rounds += 100;
    if (a < limit)
        goto first;
    a -= 1;
    if (b < 3 * limit)
        goto second;
    return rounds * 7 + a - b;
}

static int bubble(int *v, int n)
{
    int i, swaps = 0;

pass:
    i = 0;
next:
    if (i + 1 >= n)
        return swaps;
    if (v[i] > v[i + 1]) {
        int t = v[i];
        v[i] = v[i + 1];
        v[i + 1] = t;
        swaps++;
        goto pass;
    }
    i++;
    goto next;
}

int main(void)
{
    int numbers[] = { 9, -4, 7, 0, 3, 3, -8, 12, 5 };
    int count = (int)(sizeof numbers / sizeof numbers[0]);
    unsigned n = 1;
    int k = 0;

more:
    mix(collatz(n));
    n += 2;
    if (n < 60)
        goto more;

    printf("gcd %d, overlap %d\n", gcd(1071, 462), overlapping(20));
    mix((uint32_t)gcd(270, 192));
    mix((uint32_t)overlapping(33));
    printf("swaps %d\n", bubble(numbers, count));

dump:
    printf("%d ", numbers[k]);
    mix((uint32_t)numbers[k]);
    if (++k < count) goto dump;
    putchar('\n');
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
