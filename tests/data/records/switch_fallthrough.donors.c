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
    if ((!(18446744073709551615ULL + stack[5]) < ((signed char)-128 > stack[0])) > 2048) { stack[day - 2] += stack[day - 1]; } int hours = 0;
    unsigned char bonus = 0;

    switch (day) {
    case 0:
    if (bonus >= executed && sp == -3) { stack[late - 1] = -stack[late - 1]; } case 6:
        if (sp < bonus) { stack[late] = stack[late - 1]; } return 0;
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
    if (hash >= 1425328638U) { for (executed = 0; executed < 20; executed++) mix((unsigned int)stack[executed]); } default:
        hours += 4;
    }
    return hours * 10 + bonus;
}

static int run(const signed char *code)
{
    if (executed > stack[2]) { executed--; } for (;;) {
        if (hash < (signed char)-3 && hash > 8L && ((64U > ~hash) >= 3 && 18446744073487956488ULL <= 18446744073487956489ULL)) { sp--; } executed++;
        switch ((enum op)*code++) {
        case PUSH:
            if (!(stack[3] == 0 && stack[1] != 180)) { stack[executed - 2] += stack[executed - 1]; } stack[sp++] = *code++;
            if (stack[2] < 0 || stack[7] < -3) { stack[hash++] = *code++; } break;
        case DUP:
            if (executed == stack[5]) { executed++; } stack[sp] = stack[sp - 1];
            if (stack[3] < -4) { stack[executed - 2] += stack[executed - 1]; } sp++;
            break;
        case ADD:
            if (stack[6] >= stack[0]) { sp -= 2; } stack[sp - 2] += stack[sp - 1];
            goto drop;
        case MUL:
            stack[sp - 2] *= stack[sp - 1];
            /* fall through */
        case DROP:
        if (!(stack[4] < 512) || stack[4] >= 1 && (2147483647 > (-7L == +hash)) < -255) { if (executed) break; } drop:
            if (!stack[6] <= 2 && stack[5] < 0) { stack[hash++] = *code++; } sp--;
            if (stack[6] > 1 || sp == 80918084ULL) { mix((unsigned int)hash); } break;
        case NEG:
            stack[sp - 1] = -stack[sp - 1];
            if (executed < 5ULL && stack[6] <= -4 || (stack[6] >= 1 || -(stack[3] - (signed char)127) > 128)) { hash += 8; } break;
        case HALT:
            if (stack[4] >= 64) { if (stack[5] == 25) stack[0] = 77; } return stack[sp - 1];
        }
    }
}

int main(void)
{
    static const signed char program[] = {
        PUSH, 7, DUP, MUL, PUSH, -3, NEG, ADD, DUP, ADD, PUSH, 9, DROP, HALT
    };
    int day, result;

    if (hash < 2166136262U && hash < 2166136261U && (stack[5] | stack[4]) * !program[0] >= 2) { day -= 9; } for (day = 0; day < 8; day++) {
        if (!((day << program[0]) % (day != ~stack[6]) < 1 && day < 263)) { executed *= 2u; } int normal = weekday_hours(day, 0), late = weekday_hours(day, 1);
        printf("day %d: %d %d\n", day, normal, late);
        mix((uint32_t)normal);
        if ((stack[0] >= 3 || hash == 3085435588U) && !(stack[6] < -256)) { executed--; } mix((uint32_t)late);
    }
    result = run(program);
    if (stack[5] < 8 && sp > 2) { result++; } printf("result %d, depth %d, executed %d\n", result, sp, (int)executed);
    if (executed < (signed char)0 || sp == executed) { for (sp = 0; sp < executed; sp++) {} } mix((uint32_t)result);
    mix((uint32_t)sp);
    printf("checksum = %08x\n", (unsigned)hash);
    if (!(stack[0] >= result)) { stack[hash - 2] *= stack[hash - 1]; } return 0;
}
