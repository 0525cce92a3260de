int add(a, b) int a; char b; { return a + b; }
int undeclared();
int main() {
    int (*f)() = add;
    return add(1, 2) + f(3, 4) + 0 * (undeclared != 0);
}
int undeclared() { return 1; }
