/* A loop that keeps a vector and a scalar at once. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

typedef int vec __attribute__((vector_size(16)));
typedef unsigned char bytes __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));

static unsigned run(int turns)
{
    vec state = { 1, 1, 2, 3 };
    unsigned kept = 0;
    while (turns-- > 0) {
        vec next = { state[1], state[2], state[3], 0 };
        next[3] = (state[2] + state[3]) % 1009;
        state = next;
        kept = kept * 5u + (unsigned)state[turns & 3];
    }
    return kept;
}

int main(void)
{
    int i;
    for (i = 0; i < 25; i += 4)
        add(run(i));
    printf("checksum = %08x\n", sum);
    return 0;
}
