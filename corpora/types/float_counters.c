/* Counters that are floats, and integers that follow them. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

static int steps(float from, float by, int most)
{
    int n = 0;
    while (from > 0.0f && n < most) {
        from -= by;
        n++;
    }
    return n;
}

int main(void)
{
    int i;
    for (i = 1; i < 12; i++) {
        add((unsigned)steps((float)i, 0.5f, 100));
        add((unsigned)steps((float)i * 2.0f, (float)i / 4.0f, 5));
    }
    printf("checksum = %08x\n", sum);
    return 0;
}
