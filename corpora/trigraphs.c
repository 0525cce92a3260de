/* mestra-flags: -std=c99 -Wno-trigraphs */
/* Trigraphs, which -std=c99 turns on: braces, brackets, backslash, hash.  They
   are replaced before anything else, so `??/` at a line end carries a line
   comment on, and offsets count three characters where the lexer sees one. */
??=include <stdint.h>
??=include <stdio.h>

??=define JOIN(a, b) a ??=??= b

static uint32_t hash = 397;
static int slots??(5??) = ??< 9, 8, 7 ??>;

static void mix(uint32_t v)
??<
    hash = (hash ??' v) * 16777619u;
??>

static int walk(int n)
{
    int r = n, i;

    for (i = 0; i < 5; i++) ??<
        if (slots??(i??) > 7 ??!??! r < 0)
            r += slots[i??);
        else
            r -= ??-i;
        // this comment goes on ??/
        r = 1000;
    }
    while (r > 20) r = r / ??/
2;
    return r;
??>

static unsigned bits(unsigned char c)
??<
    unsigned n = 0;

    do
        n += c & 1u;
    while (c >>= 1);
    return n ??! 0x10u;
}

int main(void)
{
    const char *text = "hash ??=, backslash ??/n, braces ??<??>, none ??x";
    int JOIN(coun, ter) = 0, k;

    for (k = 0; k < 6; k++) ??<
        int w = walk(k);
        printf("%d: %d??/n", k, w);
        mix((uint32_t)w);
        counter += slots??(k % 5]--;
        mix(bits((unsigned char)(w * 7)));
    ??>
    for (k = 0; text[k]; k++)
        mix((unsigned char)text??(k??));
    mix((uint32_t)counter);
    printf("%s%c", text, '??/n');
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
