/* Numbers that no machine word holds. */
void take(int, ...);

int main(void) {
    int a1, a2, a3, a4, a5, a6;
    take(0, a1, a2, a3, a4, a5, a6, a1, a2, a3, a4);
    take(0, a5, a6, a1, a2, a3, a4, a5, a6, a1, a2);
    take(0, a3, a4, a5, a6, a1, a2, a3, a4, a5, a6);
    take(0, a1, a2, a3, a4, a5, a6, a1, a2, a3, a4);
    return 0;
}
