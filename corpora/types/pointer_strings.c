/* Pointers into strings: split, compared, copied. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

static int words(const char *text, char *to)
{
    int count = 0;
    while (*text) {
        while (*text == ' ')
            text++;
        if (*text)
            count++;
        while (*text && *text != ' ')
            *to++ = *text++;
    }
    *to = 0;
    return count;
}

int main(void)
{
    static const char *const lines[] = { "one two  three", "", " a", "b ", "four five" };
    char copy[32];
    int i;
    for (i = 0; i < 5; i++) {
        const char *p;
        add((unsigned)words(lines[i], copy));
        for (p = copy; *p; p++)
            add((unsigned)(p - copy) * 31u + (unsigned)*p);
    }
    printf("checksum = %08x\n", sum);
    return 0;
}
