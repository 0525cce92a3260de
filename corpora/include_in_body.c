/* Includes a file of statements inside a function body, and again in a table
   with other macros.  Positions in the included file must not be mistaken for
   positions in the main file, and the file must be found by the variant. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 349;
static int accumulator, executed[8];

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

enum {
#define OPERATION(name, action) OP_##name,
#include "include_in_body.inc"
#undef OPERATION
    OPERATIONS
};

static const char *const names[] = {
#define OPERATION(name, action) #name,
#include "include_in_body.inc"
#undef OPERATION
};

static void execute(int operation, int operand)
{
    unsigned char small = (unsigned char)operand;

    executed[operation & 7]++;
    switch (operation) {
#define OPERATION(name, action) case OP_##name: action; break;
#include "include_in_body.inc"
#undef OPERATION
    default:
        accumulator = -1;
    }
    mix((uint32_t)accumulator + small);
}

static int plain_statements(int n)
{
    int result = n;
    short rounds = 0;

    if (n > 2)
#define STATEMENTS
#include "include_in_body.inc"
    result += rounds;
    for (rounds = 0; rounds < 2; rounds++)
#include "include_in_body.inc"
#undef STATEMENTS
    return result * 4 + rounds;
}

int main(void)
{
    int k;

    for (k = 0; k < 14; k++) {
        execute(k % (OPERATIONS + 1), k * 3 + 1);
        printf("%s: %d\n", k % (OPERATIONS + 1) < OPERATIONS ? names[k % (OPERATIONS + 1)] : "?",
               accumulator);
    }
    for (k = 0; k < 6; k++)
        mix((uint32_t)plain_statements(k));
    for (k = 0; k < 8; k++)
        mix((uint32_t)executed[k]);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
