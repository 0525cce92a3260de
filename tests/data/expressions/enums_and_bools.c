enum color { RED, GREEN = 5, BLUE };
int main(void) {
    enum color c = GREEN;
    _Bool b = c;
    b |= c == BLUE;
    c = b + RED;
    return b ? c : 7;
}
