/* mestra-flags: -std=gnu89 */
/* Old style function definitions with the parameter declarations between the
   parentheses and the body, promoted narrow parameters, and calls without a
   prototype.  The first brace after `)` is not the next token. */
#include <stdio.h>

static unsigned hash = 281;
int total;

static void mix(v)
    unsigned v;
{
    hash = (hash ^ v) * 16777619u;
}

static int add(a, b)
int a, b;
{
    return a + b;
}

/* Parameters narrower than int arrive promoted. */
static int narrow(c, h, n)
    char c;
    unsigned short h;
    register int n;
{
    c = c + 1;
    h = h * 2;
    return c * n - h;
}

static char *skip(s, n)
char *s; int n;
{ while (n-- > 0 && *s) s++; return s; }

static int apply(f, list, count)
    int (*f)();
    int list[];
    int count;
{
    int i, r = 0;

    for (i = 0; i < count; i++)
        r = (*f)(r, list[i]);
    return r;
}

struct pair { int left; short right; };

static struct pair make(left, right)
    int left;
    short right;
{
    struct pair p;

    p.left = left;
    p.right = right;
    return p;
}

static int late();

static int no_arguments()
{
    return total++;
}

int main(argc, argv)
    int argc;
    char **argv;
{
    static int numbers[] = { 3, 1, 4, 1, 5 };
    struct pair p;
    int k;

    for (k = 0; k < 6; k++) {
        int n = narrow('a' + k, 40000 + k, k - 2);
        p = make(n, k * 1000);
        printf("%d: %d %d\n", k, n, late(k, p.right));
        mix((unsigned)n);
        mix((unsigned)(p.left + p.right));
        mix((unsigned)no_arguments());
    }
    mix((unsigned)apply(add, numbers, 5));
    printf("%s %d\n", skip("old style", 4), argc > 0 && argv != 0);
    mix((unsigned)total);
    printf("checksum = %08x\n", hash);
    return 0;
}

static int late(n, m)
    int n, m;
{
    return n ? late(n - 1, m) + m : 1;
}
