#define USE x
int main(void) { int x; USE = 1; return 0; }
