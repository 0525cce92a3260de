/* Jumps over initialised declarations: the objects exist after the jump, but
   their initialisers have not run.  Reading every variable in scope at the
   label, as a naive mutator does, would read indeterminate values. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 0x811c9dc5u;
static int skipped;

static void mix(int v)
{
    hash ^= (uint32_t)v;
    hash *= 0x01000193u;
}

static int classify(int n)
{
    int kind;

    if (n < 0)
        goto negative;

    int root = 0;
    while ((root + 1) * (root + 1) <= n)
        root++;
    if (root * root == n)
        goto square;

    unsigned long long weight = (unsigned long long)n * 1000003u;
    short low = (short)(weight % 97u);
    kind = 3;
    mix(low);
    goto out;

square:
    /* Here `root` has a value, but `weight` and `low` have none. */
    kind = 2;
    mix(root);
    skipped += 2;
    goto out;

negative:
    /* Here `root`, `weight` and `low` are all indeterminate. */
    kind = 1;
    skipped += 3;
    mix(n);
out:
    return kind;
}

static int late_assignment(int flag)
{
    int result = 1;

    if (flag)
        goto inner;
    {
        int scratch = 40;
        int factor = 2;

        result += scratch * factor;
    inner:
        scratch = 5;
        factor = flag + 1;
        result += scratch * factor;
    }
    return result;
}

int main(void)
{
    static const int inputs[] = { -5, 0, 1, 2, 16, 17, 99, 100, -1, 3600 };
    int counts[4] = { 0, 0, 0, 0 };

    for (unsigned i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        int kind = classify(inputs[i]);
        counts[kind]++;
        printf("%d is of kind %d\n", inputs[i], kind);
    }
    for (int i = 0; i < 4; i++)
        mix(counts[i]);
    for (int flag = 0; flag < 5; flag++)
        mix(late_assignment(flag));
    mix(skipped);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
