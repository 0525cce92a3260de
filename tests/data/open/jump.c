/* After longjmp, what was changed since setjmp is indeterminate unless it is volatile. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;

static void leave(int turn)
{
    if (turn > 2)
        longjmp(back, turn);
}

int main(void)
{
    int last = 0, left = 10;
    if (setjmp(back) == 0) {
        for (int i = 0; i < 6; i++) {
            last = i * 3;
            left -= i;
            leave(i);
        }
    }
    printf("%d %d\n", last, left);
    return 0;
}
