/* Identifiers with letters beyond ASCII, with dollar signs and with universal
   character names, and such letters in strings and comments.  Columns counted
   in characters, in bytes or in cells on the screen all differ. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 569;
static int größe = 4, naïve = 2, 数量;
static short été[3] = { 7, 8, 9 };
static int cash$flow = 100, $ = 1;

struct точка { int икс; unsigned char игрек; };
enum { ЯБЛОКО = 3, ГРУША };

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int зайти(int число) { int ответ = число; /* «пример» */ if (ответ > 4) ответ -= ЯБЛОКО; else ответ += ГРУША; return ответ; }

static int größer(int a, int b)
{
    int résumé = a > b; /* é */ größe += résumé; if (!résumé) /* ü */ naïve++;
    return résumé ? a : b;
}

static int zählen(const char *text)
{
    int bytes = 0, zeichen = 0;

    for (; *text; text++) { unsigned char c = (unsigned char)*text; bytes++; if ((c & 0xc0) != 0x80) zeichen++; }
    数量 += zeichen;
    return bytes * 100 + zeichen;
}

int main(void)
{
    struct точка p = { 1, 250 };
    int ключ;

    for (ключ = 0; ключ < 8; ключ++) {
        int \u00e5r = зайти(ключ), größtes = größer(ключ, p.икс % 6);
        p.икс += år; p.игрек ^= (unsigned char)größtes; été[ключ % 3] += (short)år;
        cash$flow -= $ * ключ; $ += ключ & 1;
        printf("%d → %d, %d\n", ключ, år, größtes);
        mix((uint32_t)år), mix((uint32_t)größtes);
    }
    mix((uint32_t)zählen("ünïcödé"));
    mix((uint32_t)zählen("日本語 and ascii"));
    mix((uint32_t)zählen("\u20ac\u00e9"));
    for (ключ = 0; ключ < 3; ключ++) mix((uint32_t)été[ключ]);
    mix((uint32_t)(größe + naïve * 10 + 数量 * 100 + cash$flow * 1000));
    mix((uint32_t)(p.икс + p.игрек));
    printf("größe %d, naïve %d, cash$flow %d\n", größe, naïve, cash$flow);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
