int n(void);
int main(int argc, char **argv) {
    int (*p)[argc] = 0;
    return sizeof(int[n() + argc]) + sizeof *(n(), p) + sizeof(n()) + sizeof(int[3]);
}
