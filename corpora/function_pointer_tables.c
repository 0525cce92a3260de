/* Tables of function pointers, functions that take and return them, calls
   through every spelling of a dereference.  Functions reached only this way
   look unused and must not be removed or renamed. */
#include <stdint.h>
#include <stdio.h>

typedef int operation(int, int);
typedef int (*unary)(int);

static uint32_t hash = 241;
static int called[5];

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int add(int a, int b) { called[0]++; return a + b; }
static int subtract(int a, int b) { called[1]++; return a - b; }
static int multiply(int a, int b) { called[2]++; return a * b % 1000; }
static int negate(int a) { called[3]++; return -a; }
static int halve(int a) { called[4]++; return a / 2; }

static operation *const operations[] = { add, &subtract, *multiply };

struct command { char key; operation *run; unary after; short weight; };

static struct command commands[] = {
    { '+', add, negate, 2 },
    { '-', subtract, 0, 3 },
    { '*', multiply, halve, 5 },
};

/* Returns a pointer to a function; the declarator is deliberately raw. */
static int (*choose(char key))(int, int)
{
    unsigned i;

    for (i = 0; i < 3u; i++)
        if (commands[i].key == key)
            return commands[i].run;
    return 0;
}

static int fold(int (*f)(int, int), const signed char *v, int n, int start)
{
    while (n-- > 0)
        start = (*f)(start, *v++);
    return start;
}

static int apply_twice(int f(int), int x)
{
    return f(f(x));
}

int main(void)
{
    static const signed char list[] = { 3, -4, 5, 6, -7 };
    int (*(*chooser)(char))(int, int) = choose;
    unary steps[2] = { negate, halve };
    int k, value = 17;

    for (k = 0; k < 12; k++) {
        struct command *c = &commands[k % 3];
        value = c->run(value, k) + c->weight;
        if (c->after)
            value = (**c->after)(value);
        value = operations[(k + 1) % 3](value, 2);
        value = (*steps[k & 1])(value);
        mix((uint32_t)value);
    }
    for (k = 0; k < 4; k++) {
        operation *f = chooser("+-*?"[k]);
        int r = f ? fold(f, list, 5, 2) : -1;
        printf("fold %d\n", r);
        mix((uint32_t)r);
    }
    mix((uint32_t)((value & 1 ? add : subtract)(apply_twice(halve, 99), choose('*')(6, 7))));
    for (k = 0; k < 5; k++) {
        printf("%d ", called[k]);
        mix((uint32_t)called[k]);
    }
    printf("\nchecksum = %08x\n", (unsigned)hash);
    return 0;
}
