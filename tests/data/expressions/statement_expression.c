int main(void) {
    int x = 1;
    x = ({ int y = x; y++; y * 2; }) + 1;
    return ({ x; });
}
