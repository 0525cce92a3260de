/* GNU labels as values: a threaded interpreter with a static table of label
   addresses and `goto *`.  A mutator that duplicates or outlines the function
   body, or drops labels that no plain goto names, breaks the dispatch. */
#include <stdint.h>
#include <stdio.h>

enum { OP_LOAD, OP_ADD, OP_MUL, OP_JNZ, OP_DEC, OP_END };

static uint32_t hash = 64;
static unsigned dispatched[6];

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int interpret(const unsigned char *code, int argument)
{
    static const void *const table[] = {
        &&do_load, &&do_add, &&do_mul, &&do_jnz, &&do_dec, &&do_end
    };
    int acc = argument;
    unsigned counter = 0;
    unsigned pc = 0;

#define NEXT do { dispatched[code[pc]]++; goto *table[code[pc++]]; } while (0)

    NEXT;
do_load:
    counter = code[pc++];
    NEXT;
do_add:
    acc += code[pc++];
    NEXT;
do_mul:
    acc = (int)((unsigned)acc * code[pc++] % 10007u);
    NEXT;
do_jnz:
    if (counter != 0)
        pc = code[pc];
    else
        pc++;
    NEXT;
do_dec:
    counter--;
    NEXT;
do_end:
    return acc * 2 + (int)counter;
#undef NEXT
}

static int choose(int n)
{
    const void *target = n % 2 ? &&odd : &&even;
    int r = 0;

    if (n > 6)
        target = &&large;
    goto *target;
odd:
    r += 1;
even:
    r += 10;
    goto out;
large: {
        int half = n / 2;
        r = half * 100;
    }
out:
    return r;
}

int main(void)
{
    static const unsigned char program[] = {
        OP_LOAD, 9, OP_ADD, 5, OP_MUL, 3, OP_DEC, OP_JNZ, 2, OP_ADD, 1, OP_END
    };
    int i;

    for (i = 0; i < 5; i++) {
        int r = interpret(program, i);
        printf("argument %d: %d\n", i, r);
        mix((uint32_t)r);
    }
    for (i = 0; i < 6; i++)
        mix(dispatched[i]);
    for (i = 0; i < 10; i++)
        mix((uint32_t)choose(i));
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
