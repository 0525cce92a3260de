/* What a malloc function returns may not be reached by another name. */
#include <stdio.h>
static char pool[64]; static int used;
__attribute__((malloc, noinline)) static char *get(int n) { char *p = pool + used; used += n; return p; }
int main(void) {
    char *s = get(4); int r = 1;
    s[0] = 'a';
    r += 2;
    s[1] = s[0] + 1;
    r ^= 5;
    s[2] = 0;
    r += s[1];
    printf("%s %d\n", s, r); return 0; }
