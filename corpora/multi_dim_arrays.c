/* Arrays of two to four dimensions, pointers to rows, array parameters with
   fixed inner bounds and arrays in structures.  Indexing with fewer indices
   gives an array, not a number that could be read. */
#include <stdint.h>
#include <stdio.h>

#define N 4

typedef int matrix[N][N];

static uint32_t hash = 113;
static unsigned char cube[3][4][5];
static short hyper[2][2][3][2] = { { { { 1, 2 }, { 3 } } }, { { { 4 } }, { { 5, 6 }, { 7, 8 } } } };
static const char board[3][4] = { "xox", { 'o', 'x', 'o' }, "..x" };

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void multiply(matrix to, int (*a)[N], int b[][N])
{
    int i, j, k;

    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {
            to[i][j] = 0;
            for (k = 0; k < N; k++)
                to[i][j] += a[i][k] * b[k][j];
            to[i][j] %= 1009;
        }
}

static int trace(int (*m)[N])
{
    int (*row)[N] = m, d = 0, sum = 0;

    for (; row < m + N; row++)
        sum += (*row)[d++];
    return sum;
}

static int diagonal_marks(char mark)
{
    int i, found = 0;

    for (i = 0; i < 3; i++)
        found += (board[i][i] == mark) + (i[board][2 - i] == mark);
    return found;
}

int main(void)
{
    matrix a, b = { { 1, 2, 3, 4 }, { [2] = 5 }, { 0 }, { -1, -2 } }, c;
    struct { int grid[2][3]; unsigned char pad; } s = { { { 1 }, { 2, 3 } }, 4 };
    unsigned i, j, k, l;

    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            a[i][j] = (int)(i * 3 + j) - 5;
    for (k = 0; k < 5; k++) {
        multiply(c, k & 1 ? a : b, k & 2 ? b : a);
        printf("trace %d\n", trace(c));
        mix((uint32_t)trace(c));
        b[k % N][(k + 1) % N] += c[0][k % N];
        s.grid[k & 1][k % 3] -= c[k % N][1];
    }
    for (i = 0; i < 3; i++)
        for (j = 0; j < 4; j++)
            for (k = 0; k < 5; k++)
                cube[i][j][k] = (unsigned char)(i * j * k + i);
    for (l = 0; l < 60; l += 7)
        mix(cube[l / 20][l / 5 % 4][l % 5]);
    for (l = 0; l < 24; l++)
        mix((uint32_t)hyper[l / 12][l / 6 % 2][l / 2 % 3][l % 2]);
    mix((uint32_t)(s.grid[0][0] + s.grid[1][1] * 3 + s.grid[1][2] * 5));
    mix((uint32_t)(diagonal_marks('x') * 10 + diagonal_marks('o')));
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
