/* As many variables as holes. */
void take(int, ...);

int main(void) {
    int a1, a2, a3, a4, a5;
    take(0, a1, a2, a3, a4, a5);
    return 0;
}
