/* Latin-1 bytes in comments, strings and character constants, none of them
   valid UTF-8: café, naïve, über, £ and §.  A tool that reads the file as
   text in UTF-8 fails or shifts every offset that follows. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 547; /* gültig */
static const char *const words[] = {
    "café", "straße", "Ångström", "¿qué?", "plain", /* à la fin */ "ÿþ€"
};
static int counted; // éléments

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int high_bytes(const char *s)
{
    int n = 0; /* É { */

    for (; *s; s++) {
        unsigned char c = (unsigned char)*s; /* }è */
        if (c > 127) /* « if » */ n++; //   non-breaking
        else /* ° */ counted++;
    }
    return n;
}

static int kind(unsigned char c)
{
    switch (c) { // ¶
    case (unsigned char)'é': return 1; /* é */
    case (unsigned char)'ß': return 2;
    case 0xff: /* ÿ */ return 3;
    default: return c > 127 ? 4 : 0;
    }
}

int main(void)
{
    const char *at; int k; /* × */

    for (k = 0; k < 6; k++) {
        int h = high_bytes(words[k]), sum = 0; /* µ */ short step = 1;
        for (at = words[k]; *at; at++) sum += kind((unsigned char)*at) * step++;
        printf("%s: %d %d\n", words[k], h, sum); /* ¬ */
        mix((uint32_t)h); /* é */ mix((uint32_t)sum);
        for (at = words[k]; *at; at++)
            mix((unsigned char)*at);
    }
    mix((uint32_t)counted);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0; /* fîn */
}
