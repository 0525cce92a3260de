/* Anonymous structures and unions, three deep, whose members are named as if
   they were members of the outer structure.  The parse tree has intermediate
   fields without names that must not appear in generated text. */
#include <stdint.h>
#include <stdio.h>

struct shape {
    unsigned char kind;
    union {
        struct { int width, height; };
        struct { int radius; unsigned scale : 4, : 4, turn : 8; };
        int raw[3];
    };
    union {
        short tag;
        struct {
            union { unsigned char low; signed char signed_low; };
            unsigned char high;
        };
    };
    struct { long long area; };
};

static uint32_t hash = 97;
static struct shape global_shape = { .kind = 1, .radius = 6, .turn = 90, .area = -1 };

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static long long measure(struct shape *s)
{
    if (s->kind == 0)
        s->area = (long long)s->width * s->height;
    else if (s->kind == 1)
        s->area = 3LL * s->radius * s->radius + s->scale;
    else
        s->area = s->raw[0] + s->raw[1] + s->raw[2];
    return s->area;
}

static int tag_parts(struct shape *s, short tag)
{
    int low, high;

    s->tag = tag;
    low = s->low;
    high = s->high;
    s->signed_low = -5;
    return low + high + s->signed_low + (s->low == 251);
}

int main(void)
{
    struct shape shapes[3] = {
        { 0, { { 30, 40 } }, { 0 }, { 0 } },
        { .kind = 1, .radius = 11, .scale = 3 },
        { .kind = 2, .raw = { 5, -6, 700 }, .tag = 9 },
    };
    struct { struct { int deep; }; union { int x; unsigned y; }; } local = { { 4 }, { 8 } };
    int k;

    for (k = 0; k < 3; k++) {
        int m = (int)measure(&shapes[k]), t = tag_parts(&shapes[k], (short)(k * 257 + 3));
        printf("%d: area %d, tag %d\n", k, m, t);
        mix((uint32_t)m);
        mix((uint32_t)t);
        local.deep += shapes[k].raw[0];
        local.y ^= (unsigned)local.deep;
    }
    global_shape.turn += 200;
    global_shape.radius--;
    mix((uint32_t)measure(&global_shape));
    mix(global_shape.turn);
    mix((uint32_t)(local.deep + local.x));
    printf("turn %d, local %d %d\n", (int)global_shape.turn, local.deep, local.x);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
