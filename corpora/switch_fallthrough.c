/* Cases that fall through, cases stacked on one statement and a default that
   falls off the end.  Code put between a case label and its predecessor runs
   both when the case is entered and when control falls into it. */
#include <stdint.h>
#include <stdio.h>

enum op { PUSH, DUP, ADD, MUL, NEG, DROP, HALT };

static uint32_t hash = 2166136261u;
static int stack[16];
static int sp;
static unsigned long long executed;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int weekday_hours(int day, int late)
{
    int hours = 0;
    unsigned char bonus = 0;

    switch (day) {
    case 0:
    case 6:
        return 0;
    case 5:
        hours -= 2;
        /* fall through */
    case 1:
        if (late)
            break;
        bonus++;
        /* fall through */
    case 2: case 3:
        hours += 4;
        /* fall through */
    default:
        hours += 4;
    }
    return hours * 10 + bonus;
}

static int run(const signed char *code)
{
    for (;;) {
        executed++;
        switch ((enum op)*code++) {
        case PUSH:
            stack[sp++] = *code++;
            break;
        case DUP:
            stack[sp] = stack[sp - 1];
            sp++;
            break;
        case ADD:
            stack[sp - 2] += stack[sp - 1];
            goto drop;
        case MUL:
            stack[sp - 2] *= stack[sp - 1];
            /* fall through */
        case DROP:
        drop:
            sp--;
            break;
        case NEG:
            stack[sp - 1] = -stack[sp - 1];
            break;
        case HALT:
            return stack[sp - 1];
        }
    }
}

int main(void)
{
    static const signed char program[] = {
        PUSH, 7, DUP, MUL, PUSH, -3, NEG, ADD, DUP, ADD, PUSH, 9, DROP, HALT
    };
    int day, result;

    for (day = 0; day < 8; day++) {
        int normal = weekday_hours(day, 0), late = weekday_hours(day, 1);
        printf("day %d: %d %d\n", day, normal, late);
        mix((uint32_t)normal);
        mix((uint32_t)late);
    }
    result = run(program);
    printf("result %d, depth %d, executed %d\n", result, sp, (int)executed);
    mix((uint32_t)result);
    mix((uint32_t)sp);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
