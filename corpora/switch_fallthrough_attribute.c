/* The GNU fallthrough attribute stands alone as a statement and must be
   followed directly by a case label.  Inserting anything between the two, or
   guarding the attribute, is refused or warned about by compilers. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 77u;
static unsigned short ticks;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int days_left(int month, int leap)
{
    int days = 0;

    switch (month) {
    case 1: days += 31; __attribute__((fallthrough));
    case 2: days += leap ? 29 : 28; __attribute__((fallthrough));
    case 3: days += 31; __attribute__((fallthrough));
    case 4:
        days += 30;
        ticks++;
        __attribute__((fallthrough));
    case 5:
        days += 31;
        __attribute__((__fallthrough__));
    case 6: {
        int june = 30;
        days += june;
        __attribute__((fallthrough));
    }
    default:
        days += 184;
        break;
    case 0:
        return -1;
    }
    return days;
}

static int mask(int n)
{
    int m = 0;

    switch (n & 3) {
    case 3:
        if (n > 8) {
            m |= 8;
            break;
        }
        __attribute__((fallthrough));
    case 2:
        m |= 4;
        __attribute__((fallthrough));
    case 1:
        m |= 2;
        break;
    case 0:;
    }
    return m;
}

int main(void)
{
    int month, n;

    for (month = 0; month < 8; month++) {
        int plain = days_left(month, 0), leap = days_left(month, 1);
        printf("%d: %d %d\n", month, plain, leap);
        mix((uint32_t)plain);
        mix((uint32_t)leap);
    }
    for (n = 0; n < 16; n++)
        mix((uint32_t)mask(n));
    mix(ticks);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
