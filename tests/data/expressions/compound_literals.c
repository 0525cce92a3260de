struct point { int x, y; };
static int sum(const struct point *p) { return p->x + p->y; }
int main(void) {
    struct point p = (struct point){ .y = 1, .x = 2 };
    int *a = (int[]){ 3, [2] = 4 };
    return sum(&(struct point){ 1, 2 }) + a[2] + p.x;
}
