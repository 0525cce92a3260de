/* Extern declarations of objects and functions in block scope, some of them
   under a local that hides the name, with the definitions further down.  The
   declarations look like locals but name file-scope objects. */
#include <stdint.h>
#include <stdio.h>

struct account { int id; short tries; };

static uint32_t hash = 37;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int spend(int price)
{
    extern int budget;
    extern int discount(int, short);
    int paid = discount(price, 3);

    if (paid > budget)
        return 0;
    budget -= paid;
    {
        int budget = 1;
        budget += paid;
        {
            extern int budget;
            extern unsigned char refusals[4];
            budget += 2;
            refusals[budget & 3]++;
        }
        return budget;
    }
}

static int history(int n)
{
    extern const long long offsets[];
    extern struct account current;

    current.tries = (short)(current.tries + n);
    current.id ^= (int)(offsets[n % 3] % 1000);
    return current.id + current.tries;
}

static int defined_below(void)
{
    extern int hidden_total(void);
    return hidden_total() * 2;
}

int budget = 500;
unsigned char refusals[4] = { 1, 2, 3, 4 };
const long long offsets[] = { 70000000000LL, -12, 345678 };
struct account current = { 9000, 1 };

int discount(int price, short percent)
{
    return price - price * percent / 100;
}

int hidden_total(void)
{
    return budget + refusals[0] + refusals[3];
}

int main(void)
{
    int k;
    extern int printf(const char *, ...);

    for (k = 10; k < 200; k += 23) {
        int s = spend(k), h = history(k);
        printf("price %d: %d %d, budget %d\n", k, s, h, budget);
        mix((uint32_t)s);
        mix((uint32_t)h);
    }
    for (k = 0; k < 4; k++)
        mix(refusals[k]);
    mix((uint32_t)defined_below());
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
