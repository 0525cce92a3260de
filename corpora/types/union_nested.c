/* Unions in structs in unions, copied as a whole. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

struct pair { short low, high; };
union outer { struct pair p; int whole; struct { unsigned char b[4]; } bytes; };

static union outer changed(union outer u, int n)
{
    u.p.high = (short)(u.p.low + n);
    u.bytes.b[1] ^= 0x5a;
    return u;
}

int main(void)
{
    union outer u, v;
    int i;
    u.whole = 0x01020304;
    for (i = 0; i < 10; i++) {
        v = changed(u, i * 3);
        add((unsigned)v.whole);
        u = v;
        u.p.low ^= (short)i;
    }
    printf("checksum = %08x\n", sum);
    return 0;
}
