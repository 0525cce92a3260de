/* Bytes are copied that nobody wrote, as C allows. */
#include <stdio.h>
#include <stdlib.h>
struct P { char c; int n; };
static void copy(void *to, const void *from, unsigned n) {
    unsigned char *d = to; const unsigned char *s = from;
    while (n--) { unsigned char b = *s++; *d = b; d++; }
}
int main(void) { struct P *p = malloc(sizeof *p), *q = malloc(sizeof *q); int r = 0;
 p->c = 1; for (int i = 0; i < 4; i++) { p->n = i; copy(q, p, sizeof *q); r += q->c + q->n; } printf("%d\n", r); free(p); free(q); return 0; }
