/* Sums of two types of floating point. */
int printf(const char *, ...);

int main(void)
{
    double x = 0.5, y = 2.0;
    float f = 1.5f, g = 0.25f;
    x = x + y * y;
    f = f - g;
    y = x * f;
    printf("%.2f %.2f\n", x, y);
    return 0;
}
