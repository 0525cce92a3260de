/* A block with three holes; all four variables are initialised differently. */
int main(void) {
    int a = 1, b = 0;
    if (a) {
        int c = 3, d = 5;
        b = c + d;
    }
    return a * b;
}
