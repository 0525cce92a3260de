/* A global and a local variable, two holes. */
int a;

int main(void) {
    int b = 0;
    return a + b;
}
