/* Exact classes tell these two apart. */
int main(void) {
    int a = 1, b = 0;
    return a;
}
