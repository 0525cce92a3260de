/* A global and a local variable, one hole. */
int a;

int main(void) {
    int b = 0;
    return b;
}
