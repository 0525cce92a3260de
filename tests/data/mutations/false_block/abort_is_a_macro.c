#include <stdlib.h>
#define abort() 0
int main(void) { return 0; }
