/* Assembler that may jump to C labels (asm goto).  Control can leave the
   statement for labels that no goto names; a block between the statement and a
   label, or a dropped label, changes the flow or fails to assemble. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 457;
static int jumps;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int is_zero(int n)
{
    __asm__ goto("testl %0, %0\n\tjz %l[zero]" : : "r"(n) : "cc" : zero);
    return 0;
zero:
    jumps++;
    return 1;
}

static int compare(int a, int b)
{
    short r = 10;

    __asm__ goto(
        "cmpl %1, %0\n\t"
        "jl %l[less]\n\t"
        "jg %l[greater]"
        : : "r"(a), "r"(b) : "cc" : less, greater);
    r++;
    goto out;
less:
    r = -1;
    jumps += 10;
    goto out;
greater:
    r = 1;
    jumps += 100;
out:
    return r;
}

static int countdown(int n)
{
    int turns = 0;

again:
    turns++;
    n -= 2;
    __asm__ goto("testl %0, %0\n\tjns %l[again]" : : "r"(n) : "cc" : again);
    return turns;
}

int main(void)
{
    int i, j;

    for (i = -3; i < 4; i++) {
        printf("%d: zero %d, countdown %d\n", i, is_zero(i), countdown(i + 3));
        mix((uint32_t)is_zero(i));
        for (j = -1; j < 2; j++)
            mix((uint32_t)(compare(i, j) + 5));
        mix((uint32_t)countdown(i * i));
    }
    printf("jumps %d\n", jumps);
    mix((uint32_t)jumps);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
