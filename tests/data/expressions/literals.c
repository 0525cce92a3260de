int main(void) {
    unsigned long a = 0xFFul + 017 + 0b11 + 42;
    int c = 'a' + '\n' + '\377' + '\x41' + '\0';
    int wide = L'a' + 'ab';
    double d = 1.5 + 2.0f;
    const char *s = "one" "two";
    return 0;
}
