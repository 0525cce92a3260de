/* Lanes that do not fit an int; no sanitizer looks at them. */
#include <stdio.h>

typedef float floats __attribute__((vector_size(16)));
typedef int ints __attribute__((vector_size(16)));

int main(int argc, char **argv)
{
    floats from = { 1e20f, -1e20f, 3.5f, 2e9f };
    (void)argv;
    for (int i = 0; i < 3; i++) {
        ints to = __builtin_convertvector(from, ints);
        if (argc > 6)
            puts("many");
        printf("%d %d %d %d\n", to[0], to[1], to[2], to[3]);
        from *= 1.5f;
    }
    return 0;
}
