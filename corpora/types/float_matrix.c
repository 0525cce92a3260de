/* A product of matrices of floats, and its trace. */
#include <stdio.h>

static unsigned sum = 2166136261u;

static void add(unsigned value)
{
    sum = (sum ^ value) * 16777619u;
}

enum { N = 4 };
static float a[N][N], b[N][N], c[N][N];

static void multiply(void)
{
    int i, j, k;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {
            c[i][j] = 0.0f;
            for (k = 0; k < N; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

int main(void)
{
    int i, j;
    float trace = 0.0f;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {
            a[i][j] = (float)(i - j);
            b[i][j] = (float)(i * j % 3) + 0.5f;
        }
    multiply();
    for (i = 0; i < N; i++) {
        trace += c[i][i];
        for (j = 0; j < N; j++)
            add((unsigned)(int)(c[i][j] * 2.0f));
    }
    add((unsigned)(int)(trace * 2.0f));
    printf("checksum = %08x\n", sum);
    return 0;
}
