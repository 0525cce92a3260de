/* A variable of a switch that no case initialises. */
int printf(const char *, ...);

int main(void)
{
    int in = 2, out = 0;
    switch (in) {
        int t;
    case 1:
        out = 1;
        break;
    case 2:
        t = in;
        out = t * t;
    }
    printf("%d %d\n", in, out);
    return 0;
}
