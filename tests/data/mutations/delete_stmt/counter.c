int a = __COUNTER__; int main(void) { a++; return __COUNTER__; }
