/* One of each statement form of C in a small stack machine: labelled,
   compound, expression, empty, selection, iteration and jump statements.  A
   first smoke test that an inserter knows every kind of statement. */
#include <stdint.h>
#include <stdio.h>

typedef struct machine {
    int stack[8];
    unsigned char depth;
    long long steps;
    _Bool failed;
} machine;

static uint32_t hash = 97;
static machine vm;
static const char *const script = "12+3*d-#7s-!9?";

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void push(machine *m, int v)
{
    if (m->depth == 8) {
        m->failed = 1;
        return;
    }
    m->stack[m->depth++] = v;
}

static int pop(machine *m)
{
    return m->depth ? m->stack[--m->depth] : (m->failed = 1, 0);
}

static void run(machine *m, const char *at)
{
    int a, b;

start:
    m->steps++;
    switch (*at) {
    case 0:
        return;
    case '+':
        b = pop(m);
        a = pop(m);
        push(m, a + b);
        break;
    case '*':
        b = pop(m), a = pop(m);
        push(m, a * b);
        break;
    case '-': {
        b = pop(m);
        a = pop(m);
        push(m, a - b);
        break;
    }
    case 'd':
        push(m, a = pop(m));
        push(m, a + 1);
        break;
    case 's':
        for (a = 0, b = 0; a < m->depth; ++a)
            b += m->stack[a];
        push(m, b);
        break;
    case '#':
        b = 1;
        while (b < 20)
            b += b;
        push(m, b);
        break;
    case '!':
        do {
            a = pop(m);
            if (a % 2 == 0)
                continue;
            mix((uint32_t)a);
        } while (m->depth > 2);
        break;
    case '?':
        ;
        if (m->failed)
            goto stop;
        else
            push(m, -1);
        break;
    default:
        push(m, *at - '0');
    }
    at++;
    goto start;
stop:
    m->steps = -m->steps;
}

int main(void)
{
    int i;

    run(&vm, script);
    for (i = 0; i < vm.depth; i++) {
        printf("stack[%d] = %d\n", i, vm.stack[i]);
        mix((uint32_t)vm.stack[i]);
    }
    printf("steps %d, failed %d\n", (int)vm.steps, vm.failed);
    mix((uint32_t)vm.steps);
    mix(vm.failed);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
