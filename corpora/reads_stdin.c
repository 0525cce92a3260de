/* mestra-run: sum < reads_stdin_numbers.txt */
/* mestra-run: "sort" 5 < reads_stdin_numbers.txt */
/* mestra-run: sort */
/* Reads numbers and other text from standard input until its end.  Input is
   used up by reading, so a repeated or moved read call, or a variant that
   reads in the wrong order, sees other data. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 64

static uint32_t hash = 409;
static int values[ROOM], count;
static unsigned lines, rejected;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int next_number(int *out)
{
    int c = getchar(), sign = 1, n = 0, digits = 0;

    while (c != EOF) {
        if (c == '\n')
            lines++;
        if (c == '-') {
            sign = -1;
        } else if (c >= '0' && c <= '9') {
            do {
                if (n < 1000000)
                    n = n * 10 + (c - '0');
                digits++;
            } while ((c = getchar()) >= '0' && c <= '9');
            ungetc(c, stdin);
            *out = sign * n;
            return digits;
        } else {
            sign = 1;
            if (c != ' ' && c != '\n' && c != '\t')
                rejected++;
        }
        c = getchar();
    }
    return 0;
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    int sorting = argc > 1 && strcmp(argv[1], "sort") == 0;
    int most = argc > 2 ? atoi(argv[2]) : ROOM;
    int n, i;
    long long sum = 0;

    while (count < ROOM && count < most && next_number(&n))
        values[count++] = n;
    if (sorting)
        qsort(values, (size_t)count, sizeof values[0], compare);
    for (i = 0; i < count; i++) {
        sum += values[i];
        mix((uint32_t)values[i]);
        if (i < 6)
            printf("%d ", values[i]);
    }
    printf("\ncount %d, sum %lld, lines %u, rejected %u\n", count, sum, lines, rejected);
    mix((uint32_t)sum);
    mix(lines * 256u + rejected);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
