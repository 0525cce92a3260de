/* Unnamed and zero-width bit-fields between named ones.  They have no name to
   read, take no initialiser, and their bits hold no value, so a copier or
   hasher over all fields must pass over them. */
#include <stdint.h>
#include <stdio.h>

struct header {
    unsigned version : 3;
    unsigned : 5;
    unsigned kind : 4;
    unsigned : 0;
    signed int offset : 9;
    int : 3;
    unsigned tail : 2;
};

struct only_padding_between {
    unsigned char a : 3;
    unsigned char : 0;
    unsigned char b : 3;
    unsigned : 7;
    short c;
};

static uint32_t hash = 79;
static struct header table[4] = {
    { 1, 2, -3, 1 }, { .kind = 15, .offset = -256 }, { 7 }, { 0, 0, 255, 3 },
};

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static uint32_t encode(const struct header *h)
{
    uint32_t bits = h->version;

    bits = bits << 4 | h->kind;
    bits = bits << 9 | ((uint32_t)h->offset & 511u);
    return bits << 2 | h->tail;
}

static struct header decode(uint32_t bits)
{
    struct header h;
    int offset = (int)(bits >> 2 & 511u);

    h.tail = bits & 3u;
    h.offset = offset < 256 ? offset : offset - 512;
    h.kind = bits >> 11 & 15u;
    h.version = bits >> 15 & 7u;
    return h;
}

static int shuffle(int n)
{
    struct only_padding_between s = { (unsigned char)(n & 7), 5, (short)(n - 9) };
    struct only_padding_between t = s;

    t.a = (unsigned char)(t.a + 3) & 7;
    t.b ^= s.a;
    t.c = (short)(t.c * 100);
    return s.a + t.a * 8 + t.b * 64 + t.c;
}

int main(void)
{
    int k;

    for (k = 0; k < 4; k++) {
        uint32_t bits = encode(&table[k]);
        struct header back = decode(bits);
        printf("%05x: %d %d %d %d\n", (unsigned)bits, back.version, back.kind,
               back.offset, back.tail);
        mix(bits);
        back.offset = back.offset / 2;
        back.version++;
        mix(encode(&back));
    }
    for (k = 0; k < 20; k += 3)
        mix((uint32_t)shuffle(k));
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
