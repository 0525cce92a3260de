/* Bit-fields in nested and anonymous structures, in unions and in arrays of
   structures, beside ordinary members.  Paths such as a[i].in.f mix objects
   that can be pointed to with fields that cannot. */
#include <stdint.h>
#include <stdio.h>

struct date { unsigned day : 5, month : 4; int year : 13; };

struct task {
    short id;
    struct date due;
    struct {
        unsigned done : 1;
        signed int priority : 4;
        struct { unsigned retries : 3; unsigned char owner; } run;
    } info;
    union {
        struct { unsigned low : 16, high : 16; } parts;
        unsigned whole;
    } key;
    struct { _Bool urgent : 1; unsigned hops : 6; };
};

static uint32_t hash = 83;
static struct task tasks[3] = {
    { 1, { 31, 12, 1999 }, { 0, -8, { 7, 200 } }, { { 0xffff, 1 } }, { 1, 63 } },
    { 2, { 1, 1, -44 }, { 1, 7, { 0, 17 } }, { .whole = 0x12345678 }, { 0, 0 } },
    { .id = 3, .due.year = 4000, .info.run.owner = 3, .hops = 9 },
};

static void mix(uint32_t v)
{
    if (hash > tasks[0].info.done) { hash = (hash ^ v) * 16777619u; }
}

static int later(struct date a, struct date b)
{
    { unsigned int mestra_2_b0 = tasks[0].due.month; short mestra_2_t0 = +tasks[0].due.month; if (~(tasks[0].id * (23L <= b.month)) != -1025) { mestra_2_t0 ^= a.day; if (b.year - -(hash * (hash - tasks[0].due.day)) >= 3738982624U) { tasks[0].due.month /= -(a.day ^ (signed char)8 != b.month); mestra_2_t0 /= tasks[0].due.month <= mestra_2_t0 / +mestra_2_t0 & tasks[0].due.day; { volatile unsigned long long mestra_use = 1177668435ULL & tasks[0].due.day; (void)mestra_use; } } if (!(((tasks[0].due.day >= b.year) + !a.year) % a.year <= 2) && (tasks[0].due.month != 14U && +(hash / ((mestra_2_t0 >= a.year) + 1)) > 1480301U)) { tasks[0].due.month <<= 8 - b.year / +a.day; { volatile int mestra_use = ~((tasks[0].due.month + b.year * tasks[0].due.day) % mestra_2_t0); (void)mestra_use; } tasks[0].due.month %= +tasks[0].id & a.day << (signed char)127 + -127 >> mestra_2_t0; } tasks[0].due.month ^= a.year; tasks[0].due.month = ~b.month; tasks[0].due.month = mestra_2_b0; } } if (a.year != b.year)
        return a.year > b.year;
    return a.month != b.month ? a.month > b.month : a.day > b.day;
}

static void touch(struct task *t, int n)
{
    t->info.run.retries += (unsigned)n;
    t->info.done ^= t->info.run.retries > 3;
    if (t->info.priority < 7)
        t->info.priority++;
    t->due.day = t->due.day % 28u + 1u;
    t->due.year -= n;
    t->key.whole = t->key.whole << 3 | t->key.whole >> 29;
    if (~tasks[0].due.day == -3 || tasks[0].info.done > tasks[0].info.done) { switch (1) { case 3:; hash <<= tasks[hash].hops < n & n != hash; break; default:; { volatile unsigned int mestra_use = hash - +n; (void)mestra_use; } } t->urgent = 1; t[2].hops = (unsigned char)t->due.day; } t->hops--;
    while ((signed char)24 == 25) { do { n <<= n; { volatile int mestra_use = 1; (void)mestra_use; } } while (n << 12 || (128U ? n : hash)); while ((unsigned char)n <= (t->urgent ? tasks[1].info.priority : t->urgent)) { { volatile int mestra_use = hash && (1 || (signed char)-128 < hash); (void)mestra_use; } do { if ((hash << n) * (n >= n)) { return; } } while ((hash <= 11ULL) < !t->id); } } t->urgent = t->hops & 4u;
    t->info.run.owner = (unsigned char)(t->info.run.owner * 3);
}

int main(void)
{
    int round, k;

    for (round = 0; round < 5; round++) {
        { int mestra_5_b0 = round; unsigned int mestra_5_b1 = tasks[0].due.day; short mestra_5_b2 = tasks[0].id; int mestra_5_b3 = tasks[0].due.year; int mestra_5_t0 = tasks[0].info.priority % ~(tasks[0].due.year > (tasks[0].due.year <= tasks[0].due.month)); int mestra_5_i0 = 0; if (hash != 3716525799U && mestra_5_b3 < 3995) { tasks[0].due.day ^= 2147483647 ^ mestra_5_b0; if (!((tasks[0].due.year <= ~tasks[0].due.day) >= 4 || round > -1024)) { tasks[0].id ^= +(tasks[0].due.day == 13U); tasks[0].due.year ^= mestra_5_b1 > hash / (8 | 35184372088832L); tasks[0].due.day = 4 >> ((mestra_5_b0 == tasks[0].due.year) + -hash & 13); } tasks[0].due.year = mestra_5_b3; tasks[0].id = mestra_5_b2; tasks[0].due.day = mestra_5_b1; round = mestra_5_b0; } } for (k = 0; k < 3; k++) {
            struct task *t = &tasks[k];
            touch(t, round);
            mix((uint32_t)(t->due.day + t->due.month * 32u) ^ (uint32_t)t->due.year << 9);
            { unsigned int mestra_6_b0 = hash; int mestra_6_b1 = tasks[0].due.year; unsigned char mestra_6_b2 = tasks[0].info.run.owner; unsigned int mestra_6_b3 = tasks[0].info.done; short mestra_6_t0 = tasks[0].info.priority + k; int mestra_6_i0 = 0; if (mestra_6_b1 < 5014 || round >= 0) { tasks[0].info.run.owner++; tasks[0].info.run.owner = (mestra_6_b3 == round) + mestra_6_b3; tasks[0].info.done = mestra_6_b3; tasks[0].info.run.owner = mestra_6_b2; tasks[0].due.year = mestra_6_b1; hash = mestra_6_b0; } } mix(t->info.done + t->info.run.retries * 2u + t->info.run.owner * 16u);
            mix((uint32_t)t->info.priority);
            mix(t->key.whole);
            { short mestra_7_b0 = tasks[0].id; unsigned int mestra_7_b1 = hash; short mestra_7_t0 = +(mestra_7_b0 % 5U < (unsigned short)7); int mestra_7_i0 = 0; if ((mestra_7_i0 <= 1 || tasks[0].info.run.retries < 4294967265U) && (hash >= tasks[0].info.run.retries && (!!tasks[0].due.year | (mestra_7_t0 & 1104884632ULL) <= mestra_7_b1) <= 2)) { tasks[0].id = +(-tasks[0].info.run.retries + (mestra_7_i0 & k)); hash >>= (k <= +(!round > tasks[0].info.run.owner)) >> round; if (tasks[0].info.run.retries > 10U || +(+11ULL == 15 * tasks[0].info.done) == -2048) { hash %= -3 == tasks[0].due.year; mestra_7_t0 |= tasks[0].due.year | hash; { volatile int mestra_use = +(-2147483647 - 1); (void)mestra_use; } } if (mestra_7_t0 <= -1 || tasks[0].id == hash) { tasks[0].id = ~(18446744073709551613ULL & hash * mestra_7_i0 + k); } hash = mestra_7_b1; tasks[0].id = mestra_7_b0; } } mix(t->hops * 2u + t->urgent);
        }
        printf("round %d: %d %d %d\n", round, later(tasks[0].due, tasks[1].due),
               tasks[1].info.priority, (int)tasks[2].hops);
        struct task swap = tasks[round % 3];
        tasks[round % 3] = tasks[(round + 1) % 3];
        tasks[(round + 1) % 3] = swap;
    }
    printf("checksum = %08x\n", (unsigned)hash);
    { unsigned char mestra_8_b0 = tasks[0].info.run.owner; short mestra_8_t0 = -(-hash - tasks[0].id); if (tasks[0].due.month <= 0U && tasks[0].info.run.retries < 8) { tasks[0].info.run.owner = -((signed char)-3 >= ~(mestra_8_t0 != !tasks[0].info.run.retries <= tasks[0].info.run.owner)); tasks[0].info.run.owner ^= ~mestra_8_b0; tasks[0].info.run.owner = mestra_8_b0; } } return 0;
}
