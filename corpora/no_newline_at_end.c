/* The file ends without a line end, right after the closing brace, and the
   last line holds several statements.  Appending text to the file, or finding
   the end of the last line, must work without that character. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 557;
static unsigned short lines[4] = { 10, 20, 30, 40 };
static int removed;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int trim(int at, int by)
{
    int before = lines[at & 3];

    if (before < by) {
        removed += before;
        lines[at & 3] = 0;
        return before;
    }
    lines[at & 3] = (unsigned short)(before - by);
    removed += by;
    return by;
}

int main(void)
{
    int k;

    for (k = 0; k < 12; k++) {
        int t = trim(k, k * 2);
        printf("%d: %d of %d\n", k, t, removed);
        mix((uint32_t)t);
    }
    for (k = 0; k < 4; k++)
        mix(lines[k]);
    mix((uint32_t)removed); printf("checksum = %08x\n", (unsigned)hash); return 0; }