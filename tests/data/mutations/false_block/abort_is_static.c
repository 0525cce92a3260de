static void abort(void) { }
int main(void) { return 0; }
