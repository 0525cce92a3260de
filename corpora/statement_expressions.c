/* GNU statement expressions in initialisers, arguments, conditions and nested
   in each other.  They hold statements inside expressions, their last
   expression is their value, and nothing may be appended after it. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 50;
static int side;

#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define SQUARE(x) ({ long long x_ = (x); x_ * x_; })

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int with_loop(int n)
{
    int r = ({
        int sum = 0;
        for (int i = 1; i <= n; i++) {
            if (i % 4 == 0)
                continue;
            sum += i;
        }
        sum;
    });

    if (({ side++; r > 20; }))
        r -= ({ int t = r / 3; t + 1; });
    while (({ int go = r % 5 != 0; go; }))
        r++;
    return r;
}

static int early_return(int n)
{
    int v = ({
        if (n < 3)
            return -n;
        n * 2;
    });
    return v + 1;
}

static int jump_out(const int *v, int n)
{
    int i, total = 0;

    for (i = 0; i < n; i++) {
        total += ({
            int x = v[i];
            if (x < 0)
                break;
            if (x == 0)
                continue;
            x;
        });
    }
    return total * 10 + i;
}

int main(void)
{
    static const int list[] = { 5, 0, 7, 2, -1, 100 };
    int k;
    ({ side = 3; });
    ({ ; });

    for (k = 0; k < 10; k++) {
        int a = with_loop(k), b = early_return(k);
        int c = MAX(MAX(a, b), k * k % 7);
        printf("%d: %d %d %d\n", k, a, b, c);
        mix((uint32_t)a);
        mix((uint32_t)b);
        mix((uint32_t)c);
    }
    mix((uint32_t)jump_out(list, 6));
    mix((uint32_t)SQUARE(side + 70000));
    k = 1;
    mix((uint32_t)({ k++; ({ int inner = k * 3; inner; }) + k; }));
    printf("side %d, k %d\n", side, k);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
