/* Two variables, six holes. */
void take(int, ...);

int main(void) {
    int a1, a2;
    take(0, a1, a2, a1, a2, a1, a2);
    return 0;
}
