/* Duff's device: case labels inside the body of a do loop that the switch
   jumps into.  Statements belong at once to the switch and to the loop, so a
   block put round part of them breaks one of the two. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 0x1234567u;
static int unrolled_rounds;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void copy(unsigned char *to, const unsigned char *from, int count)
{
    int rounds = (count + 7) / 8;

    if (count <= 0)
        return;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7:      *to++ = *from++;
    case 6:      *to++ = *from++;
    case 5:      *to++ = *from++;
    case 4:      *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
                 unrolled_rounds++;
            } while (--rounds > 0);
    }
}

/* The same trick with a while loop and an if in the way. */
static int weave(int start, int n)
{
    int even = 0, odd = 0, turns = 0;
    long long product = 1;

    switch (start) {
        while (n > 0) {
        case 1:
            even += n;
            product = product * 3 % 1000003;
            if (n % 5 == 0) {
        case 2:
                odd += 100;
                turns++;
            } else {
        case 3:
                odd += n;
            }
            n--;
        }
        break;
    default:
        even = -n;
    }
    return even * 7 + odd * 3 + turns + (int)product;
}

/* A generator that resumes in the middle of its loop. */
static int resume_at, counter;

static int next_value(void)
{
    switch (resume_at) {
    case 0:
        for (counter = 0; counter < 4; counter++) {
            resume_at = 1;
            return counter * 10;
    case 1:
            if (counter & 1) {
                resume_at = 2;
                return -counter;
            }
    case 2:;
        }
    }
    resume_at = 0;
    return 999;
}

int main(void)
{
    unsigned char source[40], target[40];
    int i, n;

    for (i = 0; i < 40; i++)
        source[i] = (unsigned char)(i * 37 + 11);
    for (n = 0; n <= 40; n += 3) {
        for (i = 0; i < 40; i++)
            target[i] = 0;
        copy(target, source, n);
        for (i = 0; i < 40; i++)
            mix(target[i]);
    }
    for (i = 0; i < 5; i++) {
        int w = weave(i, 12);
        printf("weave %d: %d\n", i, w);
        mix((uint32_t)w);
    }
    for (i = 0; i < 14; i++) {
        int v = next_value();
        printf("%d ", v);
        mix((uint32_t)v);
    }
    printf("\nrounds %d\n", unrolled_rounds);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
