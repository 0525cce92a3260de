/* A macro of a header counts its uses, and a use is in code that never runs. */
#include <stdio.h>
#include "counter.h"
static int f(int n) { if (n > 90) { n += NEXT; n ^= NEXT; } n += NEXT; return n; }
int main(int argc, char **argv) { int r = f(argc); if (r == 77) { r += NEXT; } r += f(3); printf("%d %d\n", r, NEXT); return 0; }
