/* A macro's call of several lines: for gcc its number is another than for clang. */
#include <stdio.h>

#define CHECK(condition) ((condition) ? 0 : printf("line %d\n", __LINE__))

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 6)
        puts("many");
    CHECK(argc
          ==
          5
         );
    return 0;
}
