/* Declarations and statements before the first case label: the names are in
   scope for all cases but their initialisers and statements never run.  A
   visit counter placed there must stay at zero. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 99;
static int never;

static void mix(uint32_t v)
{
    hash = hash * 1103515245u + 12345u + v;
}

static int area(int shape, int a, int b)
{
    int result = 0;

    switch (shape) {
        int half = 1000;
        unsigned width;
        static int uses;

        never++;
    case 0:
        width = (unsigned)a;
        result = (int)(width * width);
        uses++;
        break;
    case 1:
        half = b / 2;
        result = a * half;
        uses += 10;
        break;
    case 2: {
        int twice = a + a;
        half = twice + b;
        result = half;
    }
        /* fall through */
    default:
        uses += 100;
        result += uses;
    }
    return result;
}

static int with_array(int kind)
{
    int sum = 0, i;

    switch (kind) {
        int box[4];
        struct { short x, y; } point;
    case 1:
        for (i = 0; i < 4; i++)
            box[i] = i * i + kind;
        for (i = 0; i < 4; i++)
            sum += box[i];
        break;
    case 2:
        point.x = 3;
        point.y = (short)(point.x - 8);
        sum = point.x * 10 + point.y;
        break;
    }
    return sum;
}

int main(void)
{
    int shape, size;

    for (shape = 0; shape < 5; shape++) {
        for (size = 1; size < 6; size += 2) {
            int r = area(shape, size, size + 4);
            printf("shape %d size %d: %d\n", shape, size, r);
            mix((uint32_t)r);
        }
        mix((uint32_t)with_array(shape));
    }
    printf("never = %d\n", never);
    mix((uint32_t)never);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
