/* The second variable cannot be named in the first hole. */
void take(int, ...);

int main(void) {
    int a = 0;
    take(a);
    int b = 0;
    take(a);
    take(b);
    return 0;
}
