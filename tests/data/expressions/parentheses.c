int main(void) {
    int x = (1), y = ((x));
    ((x)) = (y + ((2)));
    (x)++;
    return ((x) ? (x) : ((y)));
}
