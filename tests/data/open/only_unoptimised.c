/* Calls a function that is defined only where nothing is optimised: elsewhere the call has
   to be folded away, and whether it is depends on what stands around it. */
#include <stdio.h>

extern void was_not_folded(void);

static int twice(int x)
{
    return x + x;
}

int main(void)
{
    int i, sum = 0, factor = 4;

    if (twice(factor) != 8)
        was_not_folded();
    for (i = 0; i < factor; i++)
        sum += twice(i);
    printf("%d\n", sum);
    return 0;
}

#ifndef __OPTIMIZE__
void was_not_folded(void)
{
}
#endif
