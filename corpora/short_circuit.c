/* && and || with side effects and with tests that protect what follows them.
   The right operand may run or not, so its parts are conditional code although
   they are no statements, and it may be unsafe to evaluate alone. */
#include <stdint.h>
#include <stdio.h>

struct node { int key; struct node *left, *right; };

static uint32_t hash = 311;
static int asked[3];
static struct node nodes[7];

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int ask(int which, int answer)
{
    asked[which]++;
    return answer;
}

static int contains(const struct node *n, int key)
{
    return n && (n->key == key || contains(n->left, key) || contains(n->right, key));
}

static int safe_divide(int a, int b)
{
    return b && a / b > 2 && (asked[2]++, 1);
}

static int guarded_index(const int *v, int n, int i)
{
    if (i >= 0 && i < n && v[i] > 0 && v[v[i] % n] != 0)
        return v[v[i] % n];
    return -1;
}

static int as_statement(int n)
{
    int done = 0, extra = 0;

    n > 2 && (done = 1);
    n > 4 || (extra = 5);
    (n & 1) && (n & 2) && ++done && (extra += done);
    !n || !done || (done -= 7) || ++extra;
    return done * 10 + extra;
}

static int combinations(int bits)
{
    int a = bits & 1, b = bits >> 1 & 1, c = bits >> 2 & 1;
    int r = ask(0, a) && ask(1, b) || ask(2, c);

    r += (ask(0, a) || ask(1, b)) && ask(2, c) ? 2 : 0;
    r += !(ask(0, !a) || ask(1, !b)) ? 4 : 0;
    return r + (a && b) + (a || c) * 8;
}

int main(void)
{
    static const int list[] = { 4, 0, -3, 1, 2 };
    int k, i = 0;

    for (k = 0; k < 7; k++) {
        nodes[k].key = k * 3;
        nodes[k].left = k < 3 ? &nodes[k * 2 + 1] : 0;
        nodes[k].right = k < 3 ? &nodes[k * 2 + 2] : 0;
    }
    for (k = 0; k < 8; k++) {
        int c = combinations(k), s = as_statement(k);
        printf("%d: %d %d %d\n", k, c, s, contains(nodes, k * 2));
        mix((uint32_t)(c * 1000 + s));
        mix((uint32_t)contains(nodes, k));
        mix((uint32_t)safe_divide(20, k - 3));
        mix((uint32_t)guarded_index(list, 5, k - 1));
    }
    while (i < 5 && (list[i] > 0 || list[i++] == 0) && i++ < 4)
        mix((uint32_t)i);
    printf("asked %d %d %d, i %d\n", asked[0], asked[1], asked[2], i);
    mix((uint32_t)(asked[0] + asked[1] * 64 + asked[2] * 4096 + i));
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
