int f(int *p);
int main(void) {
    int a[3] = { 1, 2, 3 }, (*g)(int *) = f;
    const char *s = "text";
    return f(a) + g(&a[1]) + sizeof a;
}
int f(int *p) { return *p; }
