/* Sums of floats in loops; all numbers are exact, so that their order does not matter. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

static float values[24];

static float total(const float *from, int count)
{
    float result = 0.0f;
    int i;
    for (i = 0; i < count; i++)
        result += from[i];
    return result;
}

int main(void)
{
    int i, turn;
    for (i = 0; i < 24; i++)
        values[i] = (float)((i * 7) % 11) * 0.25f;
    for (turn = 1; turn <= 24; turn++) {
        float part = total(values, turn);
        add((unsigned)(part * 4.0f));
    }
    printf("checksum = %08x\n", sum);
    return 0;
}
