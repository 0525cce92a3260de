int main(void) {
    int x = 2;
    void *label = &&end;
    long long l = __extension__ 3ll;
    __int128 wide = x;
    goto *label;
end:
    return x ?: (int)l + (int)wide;
}
