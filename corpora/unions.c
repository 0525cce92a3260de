/* Unions used as tagged variants, for byte views of numbers and with members
   of different sizes.  Only the last stored member holds a value; writing one
   member back disturbs the others. */
#include <stdint.h>
#include <stdio.h>

union word {
    uint32_t whole;
    uint16_t half[2];
    uint8_t byte[4];
    struct { uint8_t a, b; uint16_t c; } split;
    int32_t number;
};

struct value {
    enum { INTEGER, TEXT, PAIR } type;
    union {
        long long integer;
        const char *text;
        struct { short first, second; } pair;
    } as;
};

static uint32_t hash = 89;
static union word registers[4] = { { 1 }, { .number = -2 }, { .half = { 7, 9 } } };

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int evaluate(const struct value *v)
{
    int n = 0;

    switch (v->type) {
    case INTEGER:
        return (int)(v->as.integer % 1000);
    case TEXT:
        while (v->as.text[n])
            n++;
        return n;
    case PAIR:
        return v->as.pair.first * v->as.pair.second;
    }
    return -1;
}

static uint32_t rotate_bytes(uint32_t x)
{
    union word w;
    uint8_t t;

    w.whole = x;
    t = w.byte[0];
    w.byte[0] = w.byte[1];
    w.byte[1] = w.byte[2];
    w.byte[2] = w.byte[3];
    w.byte[3] = t;
    return w.whole;
}

static struct value widen(struct value v)
{
    int n = evaluate(&v);

    v.type = INTEGER;
    v.as.integer = n * 1000000007LL;
    return v;
}

int main(void)
{
    struct value values[] = {
        { INTEGER, { 123456789012LL } },
        { TEXT, { .text = "variant" } },
        { PAIR, { .pair = { -12, 30 } } },
    };
    uint32_t x = 0x01020304;
    int k;

    for (k = 0; k < 3; k++) {
        int e = evaluate(&values[k]);
        values[k] = widen(values[k]);
        printf("%d: %d then %d\n", k, e, evaluate(&values[k]));
        mix((uint32_t)e);
        mix((uint32_t)evaluate(&values[k]));
    }
    for (k = 0; k < 8; k++) {
        union word *r = &registers[k % 4];
        r->half[k & 1] = (uint16_t)(r->half[k & 1] + k * 1000);
        r->split.a ^= r->byte[3];
        r->number = r->number / 3;
        x = rotate_bytes(x + r->whole);
        mix(x);
    }
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
