/* Three variables, seven holes. */
void take(int, ...);

int main(void) {
    int a1, a2, a3;
    take(0, a1, a2, a3, a1, a2, a3, a1);
    return 0;
}
