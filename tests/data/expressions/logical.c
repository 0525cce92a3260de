int main(int argc, char **argv) {
    int x = 0;
    if (argc > 1 && (x = argc) || !x)
        return argc ? x : (x++, 2);
    return argc ?: x;
}
