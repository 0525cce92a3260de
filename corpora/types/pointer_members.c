/* Pointers to members and elements of structs. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

struct box { int size; int part[3]; struct { short a, b; } in; };

static int touched(struct box *boxes, int count)
{
    int i, result = 0;
    for (i = 0; i < count; i++) {
        int *part = &boxes[i].part[i % 3];
        short *inner = &boxes[i].in.b;
        *part += boxes[i].size;
        *inner = (short)(*inner - *part);
        result += *part * 2 + *inner;
    }
    return result;
}

int main(void)
{
    struct box boxes[4] = { { 1, { 2, 3, 4 }, { 5, 6 } }, { 7, { 8, 9, 10 }, { 11, 12 } } };
    int turn;
    for (turn = 0; turn < 5; turn++) {
        add((unsigned)touched(boxes, 4));
        boxes[turn % 4].size ^= turn;
    }
    printf("checksum = %08x\n", sum);
    return 0;
}
