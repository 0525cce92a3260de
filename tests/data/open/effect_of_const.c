/* Compilers believe that calls of these functions may be left out. */
#include <stdio.h>

static int calls;

__attribute__((const, noinline)) static int next(int x)
{
    calls++;
    return x + 1;
}

__attribute__((pure, noinline)) static int get(const int *p)
{
    calls += 10;
    return *p;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        sum += next(3) + get(&sum);
        if (sum > 1000)
            sum = 0;
    }
    printf("%d %d\n", sum, calls);
    return 0;
}
