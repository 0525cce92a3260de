#define FIVE 5
#define SUM 2 + 3
#define ADD(a, b) ((a) + (b))
#define EQ =
#define NEG -
#define NAME x
int main(void) {
    int x = FIVE;
    x = 1 + SUM;
    x EQ ADD(x, 4) * 2;
    x = NEG x;
    x = (NAME) + (SUM * 2);
    NAME = 3;
    return FIVE + ADD(NAME++, x);
}
