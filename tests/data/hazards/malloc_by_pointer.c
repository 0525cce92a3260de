/* Memory that nobody filled comes through a pointer to a function. */
#include <stdio.h>
#include <stdlib.h>
struct S { int a, b; };
static void *(*get)(size_t) = malloc;
static int f(struct S s, int n) { n += s.a; n ^= 2; n += 3; return n; }
int main(void) {
    struct S *p = get(sizeof *p);
    p->a = 3;
    int r = f(*p, 2);
    r += 2;
    free(p);
    printf("%d\n", r); return 0; }
