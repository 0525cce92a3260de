/* mestra-run: 0 */
/* mestra-run: 3 */
/* mestra-run: 255 */
/* Ends with a status that depends on the argument and is often not zero.  A
   nonzero status is part of the behaviour to keep, not a sign of failure. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum outcome { FINE, PARTIAL = 3, USAGE = 64, BROKEN = 111 };

static uint32_t hash = 419;
static int warnings;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static enum outcome process(int n)
{
    enum outcome worst = FINE;
    int i;

    for (i = 0; i < n; i++) {
        short grade = (short)(i * i % 11);
        mix((uint32_t)grade);
        if (grade > 8)
            warnings++;
        if (grade == 4 && worst < PARTIAL)
            worst = PARTIAL;
        if (warnings > 20)
            return BROKEN;
    }
    return worst;
}

int main(int argc, char **argv)
{
    enum outcome result;
    int n;

    if (argc != 2) {
        printf("checksum = %08x\n", (unsigned)hash);
        return USAGE;
    }
    n = atoi(argv[1]);
    result = process(n);
    printf("outcome %d with %d warnings\n", (int)result, warnings);
    mix((uint32_t)warnings);
    printf("checksum = %08x\n", (unsigned)hash);
    if (result == BROKEN)
        return (int)result;
    return n + (int)result;
}
