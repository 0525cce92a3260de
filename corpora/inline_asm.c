/* x86 inline assembler: memory barriers, operands tied to variables, flags and
   clobbers.  An asm statement reads and writes variables out of sight, and its
   operand list is full of colons and strings that are no labels. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 449;
static int shared = 5;
static unsigned char bytes[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void barrier(void)
{
    __asm__ volatile("" ::: "memory");
}

static int add(int a, int b)
{
    int r = a;

    __asm__("addl %1, %0" : "+r"(r) : "r"(b) : "cc");
    return r;
}

static uint32_t swap_bytes(uint32_t v)
{
    __asm__("bswapl %0" : "=r"(v) : "0"(v));
    return v;
}

static int hidden_store(int n)
{
    int local = n;

    __asm__ volatile("movl $42, %0" : "=m"(local) : : "memory");
    barrier();
    if (n > 3)
        __asm__ volatile("incl %0" : "+m"(local));
    else
        __asm__ volatile("nop");
    return local;
}

static int launder(int n)
{
    __asm__ volatile("" : "+r"(n));
    return n;
}

static int in_every_place(int n)
{
    int i, r = 0;

    for (i = 0; i < n; i++)
        __asm__ volatile("addl %1, %0" : "+r"(r) : "r"(i) : "cc");
    switch (n) {
    case 2:
        __asm__ volatile("# a comment : with } and ; inside");
        break;
    default:
        barrier();
        r = launder(r) + 1;
    }
    do __asm__ volatile(""); while (launder(0));
    return r;
}

int main(void)
{
    int k;

    for (k = 0; k < 8; k++) {
        int a = add(k, -100), h = hidden_store(k), p = in_every_place(k);
        shared += bytes[k];
        barrier();
        bytes[k] = (unsigned char)(shared * 3);
        printf("%d: %d %d %d\n", k, a, h, p);
        mix((uint32_t)a);
        mix((uint32_t)(h * 1000 + p));
        mix(swap_bytes((uint32_t)k * 0x01020304u));
    }
    for (k = 0; k < 8; k++)
        mix(bytes[k]);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
