/* Floating point that stays exact: dyadic fractions only, so every compiler
   and every width of intermediate gives the same bits.  A mutator that reads
   variables must tell floats from integers and not print them as such. */
#include <stdint.h>
#include <stdio.h>

struct body { double position, speed; float mass; int hits; };

static uint32_t hash = 197;
static float scale = 0.5f;
static double total;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

/* All values are multiples of 1/64 of modest size. */
static void mix_real(double d)
{
    mix((uint32_t)(int)(d * 64.0));
}

static double polynomial(double x)
{
    return (x * 2.0 - 1.5) * x + 0.25;
}

static int truncations(float f)
{
    int down = (int)f;
    unsigned char byte = (unsigned char)(f < 0 ? -f : f);
    long long wide = (long long)(f * 1048576.0f);

    return down * 1000 + byte + (int)(wide >> 18);
}

static void step(struct body *b, float dt)
{
    b->position += b->speed * dt;
    if (b->position > 16 || b->position < -16) {
        b->speed = -b->speed;
        b->position = b->position > 0 ? 16 : -16;
        b->hits++;
    }
    total += b->mass * dt;
}

static int compare(double a, float b)
{
    return (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | !a << 4;
}

int main(void)
{
    struct body bodies[2] = { { 0, 1.25, 2.5f, 0 }, { -3.5, -2, .125f, 0 } };
    float f;
    int k;

    for (k = 0; k < 40; k++) {
        step(&bodies[k & 1], k % 4 * scale);
        if (k % 10 == 0)
            printf("%g %g %g\n", bodies[0].position, bodies[1].position, total);
    }
    for (k = 0; k < 2; k++) {
        mix_real(bodies[k].position);
        mix((uint32_t)bodies[k].hits);
    }
    for (f = -2.0f; f <= 2.0f; f += 0.25f) {
        mix_real(polynomial(f));
        mix((uint32_t)truncations(f * 3));
        mix((uint32_t)compare(f, 0.5f - f));
    }
    k = 7;
    k *= 1.5;
    k += 0x1p3 + 3e1;
    mix((uint32_t)k);
    mix_real(total);
    printf("k %d, third %.3f\n", k, 10 / 4.0);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
