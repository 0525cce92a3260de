/* Vectors in structs and arrays, copied and passed. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

typedef int vec __attribute__((vector_size(16)));
typedef unsigned char bytes __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));

struct body { vec place, speed; int age; };

static struct body moved(struct body b)
{
    b.place += b.speed;
    b.speed = (b.speed ^ (b.place > 10)) - (b.place > 10);
    b.age++;
    return b;
}

int main(void)
{
    struct body bodies[2] = { { { 1, 2, 3, 4 }, { 2, -1, 3, 0 }, 0 }, { { 9, 8, 7, 6 }, { 1, 1, 1, 1 }, 3 } };
    int turn, lane;
    for (turn = 0; turn < 8; turn++) {
        struct body b = moved(bodies[turn % 2]);
        bodies[turn % 2] = b;
        for (lane = 0; lane < 4; lane++)
            add((unsigned)b.place[lane] * 3u + (unsigned)b.age);
    }
    printf("checksum = %08x\n", sum);
    return 0;
}
