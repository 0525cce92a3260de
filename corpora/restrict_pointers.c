/* Restrict pointers: while one is in use, what it points to may be reached by no
 * other name, not even in a function that is called meanwhile. */
#include <stdio.h>

static int shared = 3;
static int table[4] = {1, 2, 3, 4};
static int own = 5;

static int helper(int x)
{
    int y = x + own;
    own = y % 7;
    y += own;
    return y;
}

static int bump(int *restrict p, const int *restrict q)
{
    int sum = 0;
    int i;
    for (i = 0; i < 3; i++) {
        *p += q[i];
        sum += helper(*p);
    }
    return sum;
}

struct View {
    int *restrict data;
    int length;
};

static int total(struct View view)
{
    int sum = 0;
    for (int i = 0; i < view.length; i++) {
        view.data[i] += helper(i);
        sum += view.data[i];
    }
    return sum;
}

int main(void)
{
    struct View view = {table, 4};
    unsigned sum = (unsigned)bump(&shared, table);
    sum = sum * 31 + (unsigned)total(view);
    sum = sum * 31 + (unsigned)shared;
    sum = sum * 31 + (unsigned)own;
    printf("checksum = %08x\n", sum);
    return 0;
}
