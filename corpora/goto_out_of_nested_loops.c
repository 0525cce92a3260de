/* Leaves several loop levels and scopes at once by goto, with clean-up labels
   in the kernel manner.  A guard placed round a labelled statement or between
   a label and its target changes which clean-up steps run. */
#include <stdint.h>
#include <stdio.h>

#define ROWS 6
#define COLS 7

static const signed char grid[ROWS][COLS] = {
    { 3, -1, 4, 1, -5, 9, 2 },
    { 6, 5, -3, 5, 8, -9, 7 },
    { -9, 3, 2, 3, 8, 4, 6 },
    { 2, 6, -4, 3, 3, 8, 3 },
    { 2, 7, 9, -5, 0, 2, 8 },
    { 8, 4, 1, 9, -7, 1, 6 },
};

static unsigned hash = 17;
static int open_resources;

static void mix(int v)
{
    hash = hash * 31u + (unsigned)v;
}

/* Finds the first pair of cells with the wanted sum. */
static int find_pair(int wanted, int *out_row, int *out_col)
{
    int r, c, k, looked = 0;

    for (r = 0; r < ROWS; r++) {
        for (c = 0; c < COLS; c++) {
            int here = grid[r][c];
            for (k = c + 1; k < COLS; k++) {
                looked++;
                if (here + grid[r][k] == wanted)
                    goto found;
                if (looked > 100)
                    goto give_up;
            }
        }
    }
give_up:
    *out_row = *out_col = -1;
    return -looked;
found:
    *out_row = r;
    *out_col = c;
    return looked;
}

static int staged(int fail_at)
{
    int status = 0;
    long long amount = 1;

    open_resources++;
    if (fail_at == 1) {
        status = -1;
        goto close_first;
    }
    amount *= 20;
    open_resources++;
    if (fail_at == 2) {
        status = -2;
        goto close_second;
    }
    amount *= 30;
    open_resources++;
    if (fail_at == 3) {
        status = -3;
        goto close_third;
    }
    status = (int)amount;
close_third:
    open_resources--;
    mix(3);
close_second:
    open_resources--;
    mix(2);
close_first:
    open_resources--;
    mix(1);
    return status;
}

int main(void)
{
    int wanted, fail, row, col;

    for (wanted = -12; wanted <= 18; wanted += 3) {
        int looked = find_pair(wanted, &row, &col);
        printf("sum %d: row %d col %d after %d\n", wanted, row, col, looked);
        mix(looked);
        mix(row * 100 + col);
    }
    for (fail = 0; fail < 4; fail++) {
        int s = staged(fail);
        printf("fail_at %d: status %d, open %d\n", fail, s, open_resources);
        mix(s);
    }
    printf("checksum = %08x\n", hash);
    return 0;
}
