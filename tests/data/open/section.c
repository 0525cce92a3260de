/* In which order the objects of a section lie is up to the compiler. */
#include <stdio.h>

struct entry {
    const char *name;
    int value;
};

#define ENTRY(name, value) \
    static struct entry entry_##name __attribute__((used, section("entries"))) = { #name, value };
ENTRY(first, 3)
ENTRY(second, 5)
ENTRY(third, 8)
ENTRY(fourth, 13)

extern struct entry __start_entries[], __stop_entries[];

int main(int argc, char **argv)
{
    int sum = 0;
    (void)argv;
    for (struct entry *e = __start_entries; e < __stop_entries; e++) {
        if (argc > 6)
            puts("many");
        sum = sum * 2 + e->value;
        puts(e->name);
    }
    printf("%d\n", sum);
    return 0;
}
