int main(void) { int abort = 0; return abort; }
