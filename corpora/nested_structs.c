/* Structures in structures in arrays, reached through long member paths with
   side effects in the indices.  A mutator that copies such a path to read it
   must not repeat the side effects. */
#include <stdint.h>
#include <stdio.h>

struct point { short x, y; };
struct box { struct point corner[2]; unsigned char colour[3]; };
struct scene {
    struct box boxes[3];
    struct { struct point eye; int zoom; } camera;
    int used;
};

static uint32_t hash = 101;
static struct scene scene;
static int picks;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int pick(int n)
{
    picks++;
    return n % 3;
}

static struct box *box_at(struct scene *s, int n)
{
    picks += 10;
    return &s->boxes[n % 3];
}

static void move(struct point *p, int dx, int dy)
{
    p->x = (short)(p->x + dx);
    p->y = (short)(p->y - dy);
}

static int area(const struct box *b)
{
    return (b->corner[1].x - b->corner[0].x) * (b->corner[1].y - b->corner[0].y);
}

static void build(struct scene *s)
{
    int i, c;

    for (i = 0; i < 3; i++, s->used++) {
        s->boxes[i].corner[0].x = (short)i;
        s->boxes[i].corner[1].x = (short)(i * i + 5);
        s->boxes[i].corner[1].y = (short)(20 - i);
        for (c = 0; c < 3; c++)
            s->boxes[i].colour[c] = (unsigned char)(i * 100 + c * 50);
    }
    s->camera.eye.x = -3;
    s->camera.zoom = 2;
}

int main(void)
{
    struct scene *s = &scene, copy;
    int k;

    build(s);
    for (k = 0; k < 9; k++) {
        struct box *b = box_at(s, k);
        scene.boxes[pick(k)].corner[k & 1].y += scene.camera.zoom;
        box_at(s, k + 1)->colour[pick(k + 2)] += (unsigned char)(k * 3);
        move(&b->corner[(k >> 1) & 1], k, b->colour[0] % 4);
        (*s).camera.eye.x = (short)((&s->camera.eye)->x + s->boxes[k % 3].corner->x);
        if (area(b) > 50 && s->camera.zoom++ < 5)
            s->camera.eye = b->corner[1];
        printf("%d: area %d, eye %d,%d, zoom %d\n", k, area(b), s->camera.eye.x,
               s->camera.eye.y, s->camera.zoom);
        mix((uint32_t)area(b));
        mix((uint32_t)(s->camera.eye.x * 256 + s->camera.eye.y));
    }
    copy = scene;
    copy.boxes[1] = copy.boxes[2];
    mix((uint32_t)(area(&copy.boxes[1]) - area(&s->boxes[1])));
    mix(copy.boxes[0].colour[2]);
    mix((uint32_t)picks);
    printf("picks %d\n", picks);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
