/* Numbers read from and written to any place in a buffer. */
#include <string.h>
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

static unsigned char buffer[32];

static unsigned get(int at)
{
    unsigned value;
    memcpy(&value, buffer + at, sizeof value);
    return value;
}

static void put(int at, unsigned short value)
{
    memcpy(buffer + at, &value, sizeof value);
}

int main(void)
{
    int i;
    for (i = 0; i < 32; i++)
        buffer[i] = (unsigned char)(i * 37);
    for (i = 0; i < 20; i += 3) {
        add(get(i));
        put(i + 5, (unsigned short)get(i + 1));
    }
    memmove(buffer + 3, buffer, 20);
    add((unsigned)(memcmp(buffer, buffer + 3, 8) == 0));
    add(get(7));
    printf("checksum = %08x\n", sum);
    return 0;
}
