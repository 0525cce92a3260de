int main(void) { { _Pragma("GCC unroll 2") for (;;) ; } }
