#include <stdarg.h>
static int first(int n, ...) {
    va_list list;
    va_start(list, n);
    int value = va_arg(list, int);
    long more = __builtin_va_arg(list, long);
    va_end(list);
    return value + (int)more;
}
int main(void) { return first(2, 1, 2l); }
