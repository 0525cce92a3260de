/* Variable length arrays: sizes from parameters, sizeof evaluated at run time,
   arrays made anew in each loop turn.  Jumping into their scope is forbidden
   and a duplicated size expression with side effects is visible. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 127;
static int sized;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int size_of_work(int n)
{
    sized++;
    return n + 1;
}

static int reverse_sum(int n)
{
    int work[n];
    unsigned bytes = (unsigned)(sizeof work / sizeof work[0]);
    int i, sum = 0;

    for (i = 0; i < n; i++)
        work[n - 1 - i] = i * i - 3;
    for (i = 0; i < n; i++)
        sum = sum * 2 + work[i];
    return sum + (int)bytes;
}

static int in_a_loop(int rounds)
{
    int k, total = 0;

    for (k = 1; k <= rounds; k++) {
        short row[size_of_work(k)];
        int i;
        if (k == 4)
            continue;
        for (i = 0; i <= k; i++)
            row[i] = (short)(i * k);
        total += row[k] - row[k / 2];
        if (total > 60)
            break;
        {
            unsigned char inner[k * 2];
            inner[0] = (unsigned char)total;
            for (i = 1; i < k * 2; i++)
                inner[i] = (unsigned char)(inner[i - 1] * 3 + 1);
            mix(inner[k * 2 - 1]);
        }
    }
    return total * 100 + k;
}

static int two_dimensions(int rows, int columns)
{
    int grid[rows][columns];
    int r, c, n = 0;

    for (r = 0; r < rows; r++)
        for (c = 0; c < columns; c++)
            grid[r][c] = n++;
    n = 0;
    for (c = 0; c < columns; c++)
        for (r = rows - 1; r >= 0; r--)
            n = (n * 7 + grid[r][c]) % 10007;
    return n + (int)(sizeof grid[0] / sizeof(int));
}

int main(void)
{
    int k;

    for (k = 1; k < 10; k++) {
        int a = reverse_sum(k), b = in_a_loop(k), c = two_dimensions(k, k % 3 + 1);
        printf("%d: %d %d %d\n", k, a, b, c);
        mix((uint32_t)a);
        mix((uint32_t)b);
        mix((uint32_t)c);
    }
    mix((uint32_t)sized);
    printf("sized %d\n", sized);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
