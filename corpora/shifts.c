/* Shifts of every width kept within their limits, rotations, shift-assignment
   and sign propagation on right shifts of negative numbers.  An inserted
   change of a shift count, even a harmless looking one, is undefined. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 193;
static unsigned char amounts[] = { 0, 1, 7, 15, 16, 31 };
static int crc_rounds;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static uint32_t rotate(uint32_t v, unsigned by)
{
    by &= 31u;
    return by == 0 ? v : v << by | v >> (32u - by);
}

static uint64_t rotate64(uint64_t v, int by)
{
    return by ? v << by | v >> (64 - by) : v;
}

static uint16_t crc16(const char *s)
{
    uint16_t crc = 0xffff;
    int bit;

    for (; *s; s++) {
        crc ^= (uint16_t)((uint16_t)(unsigned char)*s << 8);
        for (bit = 0; bit < 8; bit++, crc_rounds++)
            if (crc & 0x8000u)
                crc = (uint16_t)(crc << 1 ^ 0x1021);
            else
                crc <<= 1;
    }
    return crc;
}

static int bits(unsigned long long v)
{
    int n = 0;

    while (v) {
        n += (int)(v & 1u);
        v >>= 1;
    }
    return n;
}

static uint32_t reverse(uint32_t v)
{
    v = v >> 16 | v << 16;
    v = (v & 0xff00ff00u) >> 8 | (v & 0x00ff00ffu) << 8;
    v = (v & 0xf0f0f0f0u) >> 4 | (v & 0x0f0f0f0fu) << 4;
    v = (v & 0xccccccccu) >> 2 | (v & 0x33333333u) << 2;
    return (v & 0xaaaaaaaau) >> 1 | (v & 0x55555555u) << 1;
}

int main(void)
{
    uint32_t word = 0x80000001u;
    uint64_t big = 0x0123456789abcdefULL;
    int negative = -123456, k;
    short small = -5;

    for (k = 0; k < 6; k++) {
        unsigned by = amounts[k];
        word = rotate(word, by) + by;
        big = rotate64(big, (int)by * 2);
        mix(word);
        mix((uint32_t)(big >> by));
        mix((uint32_t)(negative >> by));
        mix(1u << by);
        printf("%2u: %08x %d %d\n", by, (unsigned)word, negative >> by, bits(big >> by));
    }
    negative >>= 3;
    small >>= 1;
    word <<= 4, word >>= 2;
    mix((uint32_t)(negative + small));
    mix(reverse(word));
    mix(crc16("shift register"));
    mix((uint32_t)(crc_rounds + bits(~0ULL << 13)));
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
