/* Compound literals as arguments, assigned through, pointed to, in loops and
   at file scope.  Each is an unnamed object living to the end of its block, so
   a new block round a statement can end its life too early. */
#include <stdint.h>
#include <stdio.h>

struct point { int x, y; };
struct path { const struct point *points; int n; };

static uint32_t hash = 211;
static int *const shared = (int[]){ 5, 10, 15, 20 };
static struct point *origin = &(struct point){ 1, 1 };

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int length(struct path p)
{
    int i, sum = 0;

    for (i = 1; i < p.n; i++) {
        int dx = p.points[i].x - p.points[i - 1].x;
        int dy = p.points[i].y - p.points[i - 1].y;
        sum += (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
    }
    return sum;
}

static int total(const short *v, int n)
{
    return n ? v[0] + total(v + 1, n - 1) : 0;
}

static struct point *larger(struct point *a, struct point *b)
{
    return a->x * a->y > b->x * b->y ? a : b;
}

static int in_loop(int n)
{
    int sum = 0, *kept = &(int){ 100 };

    for (int i = 0; i < n; i++) {
        int *p = (int[3]){ i, i * 2 };
        p[2] += p[1] + 1;
        sum += p[0] + p[2];
        ++*kept;
        if (i == 3) {
            kept = &sum;
            break;
        }
    }
    return sum + *kept;
}

int main(void)
{
    struct point *winner;
    int k;

    mix((uint32_t)length((struct path){ (struct point[]){ { 0, 0 }, { 3, 4 }, { -1, 7 } }, 3 }));
    mix((uint32_t)total((const short[]){ 7, -8, 900, 12 }, 4));
    mix((uint32_t)(unsigned char){ 250 } + (uint32_t)(short){ -3 });
    for (k = 0; k < 6; k++) {
        struct point here = (struct point){ .y = k, .x = 7 - k };
        winner = larger(&here, &(struct point){ k, k + 1 });
        winner->x += shared[k & 3]++;
        *origin = (struct point){ origin->y, winner->x };
        printf("%d: winner %d %d, origin %d %d\n", k, winner->x, winner->y,
               origin->x, origin->y);
        mix((uint32_t)(winner->x * 100 + winner->y));
        mix((uint32_t)in_loop(k));
    }
    (struct point){ 1, 2 }.x++;
    k = ((int[]){ 3, 1, 4, 1, 5 })[k % 5]++;
    mix((uint32_t)(k + shared[0] + origin->x));
    k = 0;
    do
        mix((unsigned char)"literal"[k] ^ (unsigned char)(char[]){ "LITERAL" }[k]);
    while (++k < 7);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
