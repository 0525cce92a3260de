/* Static assertions at file scope, in structures and between statements, and
   aligned objects.  A static assertion is a declaration: it cannot be the body
   of an if and must not be guarded or labelled. */
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

_Static_assert(sizeof(int) == 4, "int has four bytes");

struct aligned {
    _Alignas(16) unsigned char lead;
    _Static_assert(sizeof(short) == 2, "short has two bytes");
    alignas(8) short body[3];
};

_Static_assert(offsetof(struct aligned, body) % 8 == 0, "body is aligned");

static uint32_t hash = 239;
static _Alignas(32) int vector[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };
static alignas(64) char line[64];

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int is_aligned(const void *p, unsigned to)
{
    return (uintptr_t)p % to == 0;
}

static int between(int n)
{
    _Static_assert(1, "first in a block");
    int r = n * 2;
    _Static_assert(sizeof r == sizeof n, "same type");
    if (n > 3) {
        _Static_assert(sizeof(struct aligned) % 16 == 0, "padded");
        _Alignas(16) short pair[2] = { (short)n, (short)r };
        r += pair[0] - pair[1] + is_aligned(pair, 16);
        _Static_assert(1, "last in a block");
    }
    switch (n) {
    case 0:;
        _Static_assert(_Alignof(char) == 1, "after a label's empty statement");
        r--;
    }
    for (int i = 0; i < n; i++) {
        _Static_assert(alignof(struct aligned) == 16, "in a loop");
        r += vector[i % 8];
    }
    return r;
}

int main(void)
{
    struct aligned a = { 7, { 1, -2, 3 } }, pair[2] = { { 1, { 2 } }, { 3, { 4 } } };
    int k;

    line[63] = 'x';
    for (k = 0; k < 10; k++) {
        int b = between(k);
        printf("%d: %d\n", k, b);
        mix((uint32_t)b);
        a.body[k % 3] = (short)(a.body[k % 3] + b);
        a.lead ^= (unsigned char)b;
    }
    mix(a.lead + (uint32_t)(a.body[0] + a.body[1] + a.body[2]));
    mix((uint32_t)(pair[1].lead + pair[0].body[0]));
    mix((uint32_t)(is_aligned(vector, 32) * 4 + is_aligned(line, 64) * 2 + is_aligned(&pair[1], 16)));
    mix((unsigned char)line[63]);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
