/* Locals, arrays and structures that hold no value for a long stretch and are
   filled piece by piece later.  A mutator that reads what is in scope rather
   than what has a value produces undefined behaviour. */
#include <stdint.h>
#include <stdio.h>

struct reading { int id; short celsius; unsigned char valid; long long stamp; };

static uint32_t hash = 53;
static int produced;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int produce(void)
{
    produced += 17;
    return produced % 23;
}

static int grow(int n)
{
    int window[8];
    int filled, sum, i;
    unsigned smallest;

    filled = 0;
    while (filled < n && filled < 8) {
        window[filled] = produce();
        filled++;
    }
    if (filled == 0)
        return -1;
    smallest = (unsigned)window[0];
    sum = 0;
    for (i = 0; i < filled; i++) {
        sum += window[i];
        if ((unsigned)window[i] < smallest)
            smallest = (unsigned)window[i];
    }
    return sum * 100 + (int)smallest;
}

static int field_by_field(int n)
{
    struct reading r;
    int late;

    r.id = n;
    if (n > 2) {
        r.celsius = (short)(n * 5 - 20);
        r.valid = 1;
    } else {
        r.valid = 0;
    }
    if (!r.valid)
        return r.id;
    r.stamp = (long long)r.id * 1000000007LL;
    late = (int)(r.stamp % 9973);
    return r.celsius + late;
}

static int used_in_one_branch(int n)
{
    int a, b, c;
    int *p;

    if (n % 3 == 0) {
        a = n / 3;
        p = &a;
    } else if (n % 3 == 1) {
        b = n * 4;
        p = &b;
    } else {
        c = -n;
        p = &c;
    }
    *p += 1;
    return *p;
}

int main(void)
{
    int first, second, third;
    char text[6];
    int k;

    first = grow(3);
    mix((uint32_t)first);
    printf("first %d\n", first);
    for (k = 0; k < 5; k++)
        text[k] = (char)('a' + produce());
    text[k] = 0;
    printf("text %s\n", text);
    second = grow(8);
    mix((uint32_t)second);
    for (k = 0; k < 9; k++) {
        third = field_by_field(k);
        mix((uint32_t)third);
        mix((uint32_t)used_in_one_branch(k));
    }
    third = second - first;
    printf("second %d, third %d, empty %d\n", second, third, grow(0));
    mix((uint32_t)third);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
