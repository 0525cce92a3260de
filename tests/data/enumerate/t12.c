/* Variables of an inner block only; one outside has another type. */
void take(int, ...);

int main(void) {
    double a = 0;
    {
        int b, c, d;
        take(b, c, d, b);
    }
    return 0;
}
