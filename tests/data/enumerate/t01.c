/* One variable, one hole. */
void take(int, ...);

int main(void) {
    int a1;
    take(0, a1);
    return 0;
}
