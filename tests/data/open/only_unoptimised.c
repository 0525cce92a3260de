/* Calls a function that is defined only where nothing is optimised: elsewhere every call
   has to be folded away, and whether it is depends on what stands around it. */
#include <stdio.h>

extern void was_not_folded(void);

int seen[4];

static int clamped(int x)
{
    if (x > 7)
        x = 7;
    return x < 0 ? 0 : x;
}

int main(void)
{
    int i, low = 7, high = 0;

    for (i = 0; i < 4; i++) {
        int c = clamped(i * 5 - 3);
        seen[i] = c;
        if (c > 7)
            was_not_folded();
        low = c < low ? c : low;
        if (c < 0)
            was_not_folded();
        high = c > high ? c : high;
        if (low > 7)
            was_not_folded();
        seen[i] += low;
        if (high < 0)
            was_not_folded();
    }
    printf("%d %d %d %d\n", seen[0], seen[3], low, high);
    return 0;
}

#ifndef __OPTIMIZE__
void was_not_folded(void)
{
}
#endif
