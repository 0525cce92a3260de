/* GNU case ranges, single values between ranges, and ranges in a nested
   switch.  A case label with two expressions has a child that is no statement,
   and the gap before `...` is easily mangled by re-printing. */
#include <stdint.h>
#include <stdio.h>

enum { LOW = -20, MID = 5, HIGH = 40 };

static uint32_t hash = 3;
static unsigned tally[8];

static void mix(uint32_t v)
{
    hash = hash * 33u ^ v;
}

static int char_class(int c)
{
    switch (c) {
    case '0' ... '9':
        return 1;
    case 'a' ... 'f':
    case 'A' ... 'F':
        return 2;
    case 'g' ... 'z': case 'G' ... 'Z':
        return 3;
    case '_':
        return 4;
    case ' ': case '\t' ... '\r':
        return 5;
    default:
        return 0;
    }
}

static int band(int n)
{
    int r = 0;

    switch (n) {
    case LOW ... -1:
        r = -1;
        break;
    case 0:
        r = 100;
        /* fall through */
    case 1 ... MID:
        r += 1;
        if (n == MID)
            break;
        switch (n) {
        case 2 ... 3:
            r += 20;
        }
        break;
    case MID + 1 ... HIGH - 1:
        r = 2;
        break;
    case HIGH ... HIGH:
        r = 3;
    }
    return r;
}

static int octets(unsigned long long v)
{
    switch (v) {
    case 0 ... 255: return 1;
    case 256 ... 65535: return 2;
    case 65536 ... 4294967295ULL: return 4;
    default: return 8;
    }
}

int main(void)
{
    const char *text = "Range_9 case\tZ{}~";
    int i;

    for (i = 0; text[i]; i++)
        tally[char_class((unsigned char)text[i])]++;
    for (i = 0; i < 8; i++) {
        printf("%u ", tally[i]);
        mix(tally[i]);
    }
    putchar('\n');
    for (i = -22; i < 44; i++)
        mix((uint32_t)(band(i) + 50));
    for (i = 0; i < 64; i += 4) {
        int o = octets(1ULL << i);
        printf("%d", o);
        mix((uint32_t)o);
    }
    printf("\nchecksum = %08x\n", (unsigned)hash);
    return 0;
}
