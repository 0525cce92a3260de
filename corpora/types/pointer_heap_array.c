/* An array on the heap that grows. */
#include <stdlib.h>
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

static int *numbers;
static int used, room;

static void append(int value)
{
    if (used == room) {
        int *larger;
        room = room ? room * 2 : 2;
        larger = realloc(numbers, (size_t)room * sizeof *numbers);
        if (!larger)
            abort();
        numbers = larger;
    }
    numbers[used++] = value;
}

int main(void)
{
    int i, total = 0;
    for (i = 0; i < 25; i++)
        append(i * 11 % 17);
    for (i = 0; i < used; i++)
        total += numbers[i] * (i + 1);
    add((unsigned)total);
    add((unsigned)room);
    free(numbers);
    printf("checksum = %08x\n", sum);
    return 0;
}
