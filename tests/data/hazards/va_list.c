/* The parts of a va_list have names, and optimisers rely on nobody using them. */
#include <stdarg.h>
#include <stdio.h>

static va_list all;
static int taken;

static int next(int wide)
{
    taken++;
    if (wide) {
        return (int)va_arg(all, double);
    }
    return va_arg(all, int);
}

static int sum(int count, ...)
{
    int total = 0;
    va_start(all, count);
    for (int i = 0; i < count; i++) {
        total = total * 3 + next(i & 1);
        total ^= taken;
    }
    va_end(all);
    return total;
}

int main(void)
{
    printf("%d\n", sum(5, 1, 2.5, 3, 4.5, 5));
    printf("%d\n", sum(3, 7, 8.0, 9));
    printf("%d\n", taken);
    return 0;
}
