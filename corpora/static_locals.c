/* Static locals: initialised once, kept between calls, hidden in nested
   blocks and in recursive functions.  A mutator that copies a function body or
   moves a declaration gives the copy a second state. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 29;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static unsigned next_random(void)
{
    static unsigned long long seed = 88172645463325252ULL;
    static int calls;

    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)(seed >> 32) + (unsigned)++calls;
}

static int two_of_one_name(int n)
{
    static int memory = 10;

    if (n % 2) {
        static int memory = 500;
        memory += n;
        return memory;
    }
    for (int i = 0; i < 2; i++) {
        static short memory;
        memory = (short)(memory + i + n);
        mix((uint32_t)memory);
    }
    memory -= n;
    return memory;
}

static int deepest(int depth)
{
    static int record, entries;
    static int history[6];

    entries++;
    if (depth > record) {
        record = depth;
        history[record % 6] += entries;
    }
    if (depth < 5)
        deepest(depth + 1);
    return record * 1000 + entries * 10 + history[3];
}

static int *shared_cell(void)
{
    static int cell = -1;
    return &cell;
}

static const char *spell(unsigned n)
{
    static char text[12];
    static const char digits[] = "0123456789abcdef";
    int at = 11;

    text[at] = 0;
    do {
        text[--at] = digits[n % 16u];
        n /= 16u;
    } while (n && at > 0);
    return text + at;
}

int main(void)
{
    for (int k = 0; k < 8; k++) {
        static int total = 1;
        int t = two_of_one_name(k);
        total = total * 3 + t;
        *shared_cell() += total % 100;
        printf("%d: %d %d %s\n", k, t, total, spell(next_random() % 4096u));
        mix((uint32_t)t);
        mix((uint32_t)total);
    }
    printf("deepest %d\n", deepest(0));
    mix((uint32_t)deepest(2));
    mix((uint32_t)*shared_cell());
    mix(next_random());
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
