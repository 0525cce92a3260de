/* Non-local jumps as error handling, with nested recovery points and locals
   that are volatile because they change between setjmp and longjmp.  Locals
   that are not volatile lose their value at the jump and must not be read. */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 439;
static jmp_buf outer, inner, *current = &outer;
static int thrown, depth;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void throw_error(int code)
{
    thrown++;
    longjmp(*current, code);
}

static int descend(int n)
{
    short local = (short)(n * 3);

    if (n < 2)
        return local;
    depth++;
    if (n % 7 == 5)
        throw_error(5);
    if (n % 7 == 0)
        throw_error(n);
    local = (short)(local + descend(n - 1));
    depth--;
    return local;
}

static int guarded(int n)
{
    volatile int attempts = 0;
    int result;

    current = &inner;
    switch (setjmp(inner)) {
    case 0:
        attempts += 10;
        result = descend(n);
        break;
    case 5:
        attempts++;
        result = 500;
        break;
    default:
        attempts += 2;
        result = -1;
    }
    current = &outer;
    return result * 100 + attempts;
}

static int retry(int limit)
{
    volatile int count = 0;
    jmp_buf again, *saved = current;

    current = &again;
    if (setjmp(again) != 0)
        mix((uint32_t)count);
    count = count + 1;
    if (count < limit)
        throw_error(count);
    current = saved;
    return count;
}

int main(void)
{
    volatile int k = 0;

    if (setjmp(outer)) {
        printf("outer recovery at %d\n", k);
        mix(1000u + (uint32_t)k);
        k++;
    }
    while (k < 12) {
        int g = guarded(k), r = retry(k);
        printf("%d: %d %d\n", k, g, r);
        mix((uint32_t)g);
        mix((uint32_t)r);
        if (k % 5 == 4)
            throw_error(1);
        k++;
    }
    printf("thrown %d, depth %d\n", thrown, depth);
    mix((uint32_t)(thrown * 100 + depth));
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
