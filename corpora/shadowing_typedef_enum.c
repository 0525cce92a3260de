/* Ordinary identifiers that hide typedef names and enum constants, and the
   reverse, with tags and labels of the same name in their own name spaces.
   A name alone does not tell whether it is a variable that can be read. */
#include <stdint.h>
#include <stdio.h>

typedef unsigned char byte;
typedef int count;
enum colour { red, green = 5, blue };

static uint32_t hash = 23;
static int amount = 12;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int typedef_hidden(int n)
{
    byte before = (byte)(n * 100);
    {
        int byte = n + 1;
        unsigned count = 3;
        n = (byte)+n * (int)count;
        n += (byte) - 1;
        count = count << byte % 4;
        n += (int)count;
    }
    {
        byte after = (byte)(n + before);
        count count = after;
        n = count + (int)sizeof(byte);
    }
    return n;
}

static int enum_hidden(int n)
{
    int r = red * 100 + green * 10 + blue;
    {
        short green = (short)(n - 50);
        r += green;
        {
            enum { blue = 70, green = -2, amount } c = amount;
            r += blue + green * n + (int)c;
        }
        r += blue * amount;
    }
    return r;
}

static int variable_hidden_by_typedef(int amount)
{
    int r = amount + 1;
    {
        typedef unsigned short amount;
        amount other = (amount)(r * 30000);
        r += other % 1000;
    }
    return r + amount;
}

/* One spelling, four meanings. */
static int name_spaces(int item)
{
    struct item { int item; } thing = { item };

    if (thing.item > 3)
        goto item;
    thing.item += 10;
item:
    {
        union item { short item; unsigned char raw[2]; } item;
        item.item = 0x0101;
        thing.item += item.raw[0] + item.raw[1];
    }
    return thing.item * 2 + item;
}

int main(void)
{
    int k;

    for (k = 0; k < 7; k++) {
        int a = typedef_hidden(k), b = enum_hidden(k);
        int c = variable_hidden_by_typedef(k), d = name_spaces(k);
        printf("%d: %d %d %d %d\n", k, a, b, c, d);
        mix((uint32_t)a);
        mix((uint32_t)b);
        mix((uint32_t)c);
        mix((uint32_t)d);
    }
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
