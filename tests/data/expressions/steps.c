int main(void) {
    int x = 0, *p = &x;
    x++;
    --x;
    (*p)++;
    x /* between */ --;
    return -x++ + - --x;
}
