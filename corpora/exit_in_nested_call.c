/* Ends by exit() deep inside nested and recursive calls, in the middle of an
   expression; no function on the way returns.  Code that is to run at the end
   of main, or after each call, never does. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct account { int balance; unsigned short moves; };

static uint32_t hash = 421;
static struct account accounts[3] = { { 100, 0 }, { 250, 0 }, { 30, 0 } };
static int returned;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int leave(int code)
{
    int i;

    for (i = 0; i < 3; i++) {
        printf("account %d: %d after %d moves\n", i, accounts[i].balance, accounts[i].moves);
        mix((uint32_t)accounts[i].balance);
        mix(accounts[i].moves);
    }
    mix((uint32_t)returned);
    printf("checksum = %08x\n", (unsigned)hash);
    exit(code);
    return returned++;
}

static int withdraw(struct account *a, int amount)
{
    a->moves++;
    return a->balance >= amount ? a->balance -= amount, amount : leave(7);
}

static int transfer(int from, int to, int amount, int depth)
{
    int moved;

    if (depth > 0)
        return transfer(to, from, amount + 3, depth - 1) + 1;
    moved = withdraw(&accounts[from], amount);
    accounts[to].balance += moved;
    accounts[to].moves++;
    return moved;
}

int main(void)
{
    int k, total = 0;

    for (k = 1;; k++) {
        total += transfer(k % 3, (k + 1) % 3, k * 5, k % 4);
        mix((uint32_t)total);
        if (total > 100000)
            break;
    }
    printf("not reached\n");
    return 0;
}
