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
    hash = (hash ^ v) * 16777619u;
}

static int later(struct date a, struct date b)
{
    if (a.year != b.year)
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
    t->hops--;
    t->urgent = t->hops & 4u;
    t->info.run.owner = (unsigned char)(t->info.run.owner * 3);
}

int main(void)
{
    int round, k;

    for (round = 0; round < 5; round++) {
        for (k = 0; k < 3; k++) {
            struct task *t = &tasks[k];
            touch(t, round);
            mix((uint32_t)(t->due.day + t->due.month * 32u) ^ (uint32_t)t->due.year << 9);
            mix(t->info.done + t->info.run.retries * 2u + t->info.run.owner * 16u);
            mix((uint32_t)t->info.priority);
            mix(t->key.whole);
            mix(t->hops * 2u + t->urgent);
        }
        printf("round %d: %d %d %d\n", round, later(tasks[0].due, tasks[1].due),
               tasks[1].info.priority, (int)tasks[2].hops);
        struct task swap = tasks[round % 3];
        tasks[round % 3] = tasks[(round + 1) % 3];
        tasks[(round + 1) % 3] = swap;
    }
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
