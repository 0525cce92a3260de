/* Sizeof and typeof with operands that are not evaluated, of types, of
   expressions and of arrays, and offsetof.  Side effects inside the operand
   never happen, so counting visits there must give zero. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))
#define SWAP(a, b) do { __typeof__(a) t_ = (a); (a) = (b); (b) = t_; } while (0)

struct layout { char tag; int32_t value; uint16_t list[5]; };

static uint32_t hash = 229;
static int evaluated;
static unsigned char bytes[17];

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int touch(int n)
{
    evaluated++;
    return n;
}

static int sizes(int parameter[5])
{
    int n = 3, total = 0;
    struct layout l;

    total += (int)sizeof n++;
    total += (int)sizeof(touch(5));
    total += (int)sizeof(char) * 2;
    total += (int)sizeof l.list;
    total += (int)sizeof(((struct layout *)0)->value);
    total += (int)sizeof "text";
    total += (int)sizeof 'c';
    total += (int)sizeof(struct { int a[3]; });
    total += (int)sizeof(int[4][2]);
    total += (int)sizeof(n ? 1.0 : 2);
    total += (int)sizeof parameter[0];
    total += (int)sizeof(short) + n;
    return total;
}

static int copies(int n)
{
    __typeof__(n) same = n + 1;
    __typeof__(bytes[0]) narrow = (__typeof__(bytes[0]))(n * 77);
    __typeof__(int[3]) three = { n, n + 1, n + 2 };
    __typeof__(touch) *function = touch;
    __typeof__(&same) pointer = &same;
    __typeof__(touch(n++)) result = 4;

    *pointer += function(narrow);
    SWAP(three[0], three[2]);
    return same + result + three[0] * 3 + n;
}

int main(void)
{
    int values[] = { 9, 8, 7, 6, 5 };
    long long left = 1LL << 40, right = -2;
    int k;

    printf("sizes %d\n", sizes(values));
    mix((uint32_t)sizes(values));
    for (k = 0; k < COUNT(values); k++) {
        SWAP(values[k], values[COUNT(values) - 1 - k]);
        mix((uint32_t)(values[k] + copies(k)));
    }
    SWAP(left, right);
    mix((uint32_t)left);
    mix((uint32_t)(right >> 20));
    mix((uint32_t)(offsetof(struct layout, list) * 100 + offsetof(struct layout, value)));
    mix((uint32_t)sizeof bytes + (uint32_t)sizeof(struct layout));
    printf("evaluated %d\n", evaluated);
    mix((uint32_t)evaluated);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
