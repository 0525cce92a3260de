/* Labels that close a block, labels in a row, labels before empty statements
   and labels never jumped to.  A label must stay followed by a statement, so
   removing or moving the lone `;` after it makes the file invalid. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 1;

static void mix(uint32_t v)
{
    hash = (hash ^ (v + 0x9e3779b9u + (hash << 6) + (hash >> 2)));
}

static int count_vowels(const char *s)
{
    int vowels = 0;

    for (; *s; s++) {
        switch (*s) {
        case 'a': case 'e': case 'i': case 'o': case 'u':
            break;
        default:
            goto next;
        }
        vowels++;
    next:
        ;
    }
    return vowels;
}

static int several_labels(int n)
{
    int r = 0;

    if (n == 0) goto one;
    if (n == 1) goto two;
    if (n == 2) goto three;
    r = 50;
one: two: three:
    r += n;
    {
        if (r % 2)
            goto leave_block;
        r *= 3;
    leave_block:;
    }
never_used: __attribute__((unused));
    if (r > 20)
    single: r -= 20;
    if (r > 20)
        goto single;
    return r;
}

static void void_tail(int *slot, int n)
{
    if (n < 3)
        goto end;
    *slot += n;
    if (n > 6)
        goto end;
    *slot *= 2;
end:;
}

int main(void)
{
    static const char *const words[] = { "mutation", "rhythm", "equivalence", "" };
    int i, slot = 1;

    for (i = 0; i < 4; i++) {
        int v = count_vowels(words[i]);
        printf("%s: %d\n", words[i], v);
        mix((uint32_t)v);
    }
    for (i = 0; i < 9; i++) {
        int r = several_labels(i);
        void_tail(&slot, i);
        printf("%d: %d %d\n", i, r, slot);
        mix((uint32_t)r);
        mix((uint32_t)slot);
    }
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
