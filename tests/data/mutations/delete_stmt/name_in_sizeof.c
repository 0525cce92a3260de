int main(void) { int x; int a[sizeof x]; return 0; }
