#define counter total
int total;
int main(void) { int counter = 0; total = counter; return total; }
