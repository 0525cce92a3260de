/* C99 complex numbers with small whole parts, so that all arithmetic is
   exact.  The type is scalar but neither integer nor real; printing, casting
   or comparing it as a number of the usual kind is an error or a loss. */
#include <complex.h>
#include <stdint.h>
#include <stdio.h>

typedef double _Complex number;

static uint32_t hash = 199;
static number spiral = 1.0;
static int turns;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void mix_number(number z)
{
    mix((uint32_t)(int)__real__ z);
    mix((uint32_t)(int)__imag__ z);
}

static number power(number z, unsigned n)
{
    number r = 1.0;

    while (n-- > 0) {
        r *= z;
        turns++;
    }
    return r;
}

static int quadrant(number z)
{
    if (z == 0)
        return 0;
    if (creal(z) >= 0)
        return cimag(z) >= 0 ? 1 : 4;
    return cimag(z) >= 0 ? 2 : 3;
}

static number evaluate(const int *coefficients, int n, number z)
{
    number sum = 0;

    for (int i = 0; i < n; i++)
        sum = sum * z + coefficients[i];
    return sum;
}

int main(void)
{
    static const int coefficients[] = { 1, -3, 0, 4 };
    number grid[2][2] = { { 1, 2 + 1 * I }, { I * I, -3 * I } };
    float _Complex narrow = 3 - 4 * I;
    int k;

    for (k = 0; k < 10; k++) {
        spiral = spiral * I + k;
        printf("%d: (%d, %d) in quadrant %d\n", k, (int)creal(spiral),
               (int)cimag(spiral), quadrant(spiral));
        mix_number(spiral);
        mix((uint32_t)quadrant(spiral));
        mix_number(evaluate(coefficients, 4, grid[k & 1][k >> 1 & 1]));
    }
    mix_number(power(2 + I, 5));
    mix_number(conj(narrow) * narrow);
    mix_number(-grid[0][1] + ~grid[1][1]);
    mix((uint32_t)turns);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
