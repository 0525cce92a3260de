/* Mutual recursion of three functions in a parser of arithmetic, plus direct
   and nested recursion.  Any state a mutator keeps per function instead of per
   call is overwritten by the inner calls. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 251;
static const char *at;
static int depth, deepest;
static unsigned long calls;

static int expression(void);
static int is_odd(unsigned n);

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int primary(void)
{
    int value = 0, negative = 0;

    calls++;
    if (*at == '-') {
        negative = 1;
        at++;
    }
    if (*at == '(') {
        at++;
        if (++depth > deepest)
            deepest = depth;
        value = expression();
        depth--;
        at++;
    } else {
        while (*at >= '0' && *at <= '9')
            value = value * 10 + (*at++ - '0');
    }
    return negative ? -value : value;
}

static int term(void)
{
    int left = primary();

    while (*at == '*' || *at == '/') {
        char op = *at++;
        int right = primary();
        if (op == '*')
            left *= right;
        else
            left = right ? left / right : 0;
        mix((uint32_t)left);
    }
    return left;
}

static int expression(void)
{
    int left = term();

    while (*at == '+' || *at == '-') {
        if (*at++ == '+')
            left += term();
        else
            left -= term();
    }
    return left;
}

static int is_even(unsigned n)
{
    return n == 0 ? 1 : is_odd(n - 1);
}

static int is_odd(unsigned n)
{
    return n == 0 ? 0 : is_even(n - 1);
}

static int ackermann(int m, int n)
{
    calls++;
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static void hanoi(int n, int *from, int *to, int *via)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, via, to);
    --*from;
    ++*to;
    mix((uint32_t)(*from * 100 + *to * 10 + *via));
    hanoi(n - 1, via, to, from);
}

int main(void)
{
    static const char *const inputs[] = {
        "1+2*3", "(1+2)*3", "-(4-10)*(3+(8/(5-1)))", "100/(3-3)+7", "2*-3--4"
    };
    int a = 6, b = 0, c = 0, k;

    for (k = 0; k < 5; k++) {
        at = inputs[k];
        int v = expression();
        printf("%s = %d\n", inputs[k], v);
        mix((uint32_t)v);
    }
    mix((uint32_t)(is_even(30) * 2 + is_odd(17)));
    mix((uint32_t)ackermann(2, 4));
    hanoi(6, &a, &b, &c);
    printf("deepest %d, calls %d, pegs %d %d %d\n", deepest, (int)calls, a, b, c);
    mix((uint32_t)calls);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
