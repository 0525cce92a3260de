/* Nothing tells these two apart. */
int main(void) {
    int a, b;
    return a;
}
