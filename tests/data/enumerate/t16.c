/* Two functions that share two globals. */
int a, b;

int one(void) {
    int c, d;
    return a + c + d;
}

int main(void) {
    int e, f;
    return b + e + f;
}
