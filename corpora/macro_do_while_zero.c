/* Macros wrapped in do ... while (0), used bare in if/else and loops, with
   break and continue inside and outside.  The loop written by the macro is not
   in the text at the point of use, nor is its semicolon in the macro. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 317;
static int errors, logged[3];

#define MIX(v) do { hash = (hash ^ (uint32_t)(v)) * 16777619u; } while (0)
#define LOG(level, v) do { logged[level]++; if ((level) > 1) MIX(v); } while (0)
#define CHECK(c) do { if (!(c)) { errors++; break; } MIX(1); } while (0)
#define TRY(expression, label) do { if ((status = (expression)) < 0) goto label; } while (0)
#define NOTHING do { } while (0)
#define REPEAT_TWICE(statement) \
    do {                        \
        statement;              \
        statement;              \
    } while (0)

static int branch(int n)
{
    int r = n;

    if (n > 3)
        LOG(2, n);
    else
        LOG(0, n);

    if (n > 5) NOTHING; else if (n > 2) REPEAT_TWICE(r += 2); else CHECK(n == 1);

    for (int i = 0; i < n; i++)
        CHECK(i != 2);
    while (r > 6)
        REPEAT_TWICE(r--);
    do
        LOG(1, r);
    while (r++ < 4);
    return r;
}

static int stage(int n, int fail)
{
    return n == fail ? -n : n * 2;
}

static int pipeline(int fail)
{
    int status, done = 0;
    unsigned char mask = 0;

    TRY(stage(1, fail), out);
    done++;
    mask |= 1;
    TRY(stage(2, fail), out);
    done++;
    mask |= 4;
    TRY(stage(3, fail), undo);
    done++;
    return done * 10 + mask;
undo:
    done -= 5;
out:
    MIX(status);
    return done * 10 + mask + status;
}

int main(void)
{
    for (int k = 0; k < 9; k++) {
        int b = branch(k), p = pipeline(k);
        printf("%d: %d %d\n", k, b, p);
        MIX(b); MIX(p);
        switch (k) {
        case 1: LOG(0, k); break;
        case 2: CHECK(k == 3); MIX(99);
        default: NOTHING;
        }
    }
    printf("errors %d, logged %d %d %d\n", errors, logged[0], logged[1], logged[2]);
    MIX(errors);
    for (int k = 0; k < 3; k++) MIX(logged[k]);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
