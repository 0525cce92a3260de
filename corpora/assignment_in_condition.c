/* Assignments, increments and calls inside the conditions of if, while, for,
   do and switch.  Evaluating a condition a second time to build a guard runs
   its side effects twice. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 521;
static const signed char feed[] = { 5, 3, -1, 8, 0, 2, 7, 7, -4, 6, 1, 0 };
static unsigned position;
static int reads;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int read_next(void)
{
    reads++;
    return position < sizeof feed ? feed[position++] : -100;
}

static int until_zero(void)
{
    int v, sum = 0;

    while ((v = read_next()) != 0 && v > -100) {
        if ((v -= 2) < 0)
            continue;
        else if (v++ == 3)
            sum += 50;
        sum += v;
    }
    return sum;
}

static int chained(int n)
{
    int a, b, c;

    if ((a = b = c = n) > 3 && (b += 2) && (c = a - b))
        a += b * c;
    for (b = 0; (c = b * b) < a * a && b++ < 9;)
        mix((uint32_t)c);
    do
        a -= (c = b--) & 3;
    while (b > 0 && (a ^= 1));
    switch (c = a % 4) {
    case 0: a += c--; break;
    default: a -= c++;
    }
    return a * 100 + b * 10 + c;
}

static unsigned copy(char *to, const char *from)
{
    char *start = to;

    while ((*to++ = *from++))
        ;
    return (unsigned)(to - start);
}

int main(void)
{
    char buffer[16];
    int k;
    unsigned n;

    while ((k = until_zero()), reads < 20) {
        printf("sum %d after %d reads\n", k, reads);
        mix((uint32_t)k);
    }
    for (k = 0; k < 9; k++)
        mix((uint32_t)chained(k));
    if ((n = copy(buffer, "condition")) > 4 && !(k = buffer[n - 1]))
        mix(n);
    printf("n %u, k %d, %s\n", n, k, buffer);
    for (n = 0; buffer[n]; n++)
        mix((unsigned char)buffer[n]);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
