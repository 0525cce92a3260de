/* Switches inside cases of other switches, with loops between, so that each
   break and continue belongs to a different construct.  Wrapping a statement
   in a new loop or switch would capture the wrong break. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 0xdeadu;
static int transitions[5];

static void mix(uint32_t v)
{
    hash ^= v;
    hash ^= hash << 13;
    hash ^= hash >> 17;
    hash ^= hash << 5;
}

/* Counts tokens of a tiny language: numbers, words and quoted strings. */
static int scan(const char *s, int *numbers, int *words)
{
    int state = 0, strings = 0;
    unsigned char c;

    for (; (c = (unsigned char)*s) != 0; s++) {
        transitions[state]++;
        switch (state) {
        case 0:
            switch (c) {
            case ' ':
                continue;
            case '"':
                state = 3;
                break;
            case '0': case '1': case '2': case '3': case '4':
            case '5': case '6': case '7': case '8': case '9':
                state = 1;
                ++*numbers;
                break;
            default:
                state = 2;
                ++*words;
            }
            break;
        case 1:
        case 2:
            switch (c) {
            case ' ':
                state = 0;
            }
            break;
        case 3:
            switch (c) {
            case '\\':
                state = 4;
                break;
            case '"':
                strings++;
                state = 0;
                break;
            }
            break;
        case 4:
            state = 3;
        }
        mix((uint32_t)(state * 256 + c));
    }
    return strings;
}

static int matrix(int a, int b)
{
    int r = 0;

    switch (a)
    {
        case 1:
            switch (b) { case 1: r = 11; break; case 2: r = 12; }
            r++;
            break;
        case 2:
            while (1) {
                switch (b--) {
                case 0: break;
                case 3: r += 1000; continue;
                default: r += 10; continue;
                }
                break;
            }
            r += 500;
    }
    return r;
}

int main(void)
{
    int numbers = 0, words = 0, strings, a, b;

    strings = scan("let x 42 \"two \\\" words\" 7 and 19 \"end\" ", &numbers, &words);
    printf("numbers %d, words %d, strings %d\n", numbers, words, strings);
    for (a = 0; a < 4; a++)
        for (b = 0; b < 5; b++) {
            int r = matrix(a, b);
            mix((uint32_t)r);
            printf("%d%c", r, b < 4 ? ' ' : '\n');
        }
    for (a = 0; a < 5; a++)
        mix((uint32_t)transitions[a]);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
