/* Local arrays and structures in which some elements have values and others
   never get one.  Knowing that an array was written is not enough: an index
   that is in range may still select an element without a value. */
#include <stdint.h>
#include <stdio.h>

struct ring { int slot[10]; unsigned head, used; };
struct mixed { int tag; union { int whole; struct { short a, b; } half; } u; };

static uint32_t hash = 59;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void put(struct ring *r, int v)
{
    r->slot[(r->head + r->used) % 10u] = v;
    if (r->used < 10u)
        r->used++;
}

static int take(struct ring *r)
{
    int v = r->slot[r->head];

    r->head = (r->head + 1u) % 10u;
    r->used--;
    return v;
}

static int queue(int n)
{
    struct ring r;
    int i, out = 0;

    r.head = 4;
    r.used = 0;
    for (i = 0; i < n; i++) {
        put(&r, i * i);
        if (i % 3 == 2)
            out = out * 3 + take(&r);
    }
    while (r.used > 0)
        out = (out * 5 + take(&r)) % 100003;
    return out;
}

static int even_slots(void)
{
    int sparse[16];
    short board[3][3];
    int i, sum = 0;

    for (i = 0; i < 16; i += 2)
        sparse[i] = 100 - i;
    for (i = 0; i < 3; i++)
        board[i][i] = (short)(i + 7);
    for (i = 14; i >= 0; i -= 2)
        sum = sum * 2 + sparse[i];
    for (i = 0; i < 3; i++)
        sum += board[i][i] * board[2 - i][2 - i];
    return sum;
}

static int variant(int n)
{
    struct mixed m;

    m.tag = n & 1;
    if (m.tag) {
        m.u.half.a = (short)(n + 1);
        if (n > 4)
            m.u.half.b = (short)(n * 2);
    } else {
        m.u.whole = n * 70000;
    }
    if (!m.tag)
        return m.u.whole / 7;
    return n > 4 ? m.u.half.a * m.u.half.b : m.u.half.a;
}

int main(void)
{
    int k;

    for (k = 0; k < 11; k++) {
        int q = queue(k), v = variant(k);
        printf("%d: %d %d\n", k, q, v);
        mix((uint32_t)q);
        mix((uint32_t)v);
    }
    mix((uint32_t)even_slots());
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
