/* The least and the largest of floats, by conditional expressions. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

static float least(float a, float b) { return a < b ? a : b; }
static float most(float a, float b) { return a > b ? a : b; }

int main(void)
{
    static const float data[] = { 3.5f, -2.0f, 8.25f, 0.0f, -9.75f, 4.0f };
    float low = data[0], high = data[0];
    int i;
    for (i = 0; i < 6; i++) {
        low = least(low, data[i]);
        high = most(high, data[i]);
        add((unsigned)(int)(low * 4.0f));
        add((unsigned)(int)(high * 4.0f));
        if (high - low > 10.0f)
            add((unsigned)i);
    }
    printf("checksum = %08x\n", sum);
    return 0;
}
