/* Static and const floating-point variables, and a table of them. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

static const double table[] = { 0.5, -1.25, 3.0, 16.0, -0.0625 };
static double state = 1.0;

static double next(int n)
{
    static float kept = 2.0f;
    kept = kept / 2.0f + (float)(n & 3);
    state = table[n % 5] + (double)kept;
    return state;
}

int main(void)
{
    int i;
    for (i = 0; i < 12; i++) {
        double d = next(i);
        add((unsigned)(int)(d * 65536.0));
        if (state > 2.0)
            add(7u);
    }
    printf("checksum = %08x\n", sum);
    return 0;
}
