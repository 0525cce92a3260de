/* More variables than holes. */
void take(int, ...);

int main(void) {
    int a1, a2, a3, a4, a5, a6, a7;
    take(0, a1, a2, a3);
    return 0;
}
