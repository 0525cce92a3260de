/* mestra-run: 3 "hello world" -x */
/* mestra-run: 10 '' 'single "quoted" word' a\ b -7 2147483647 */
/* mestra-run: */
/* Works on its arguments: numbers, words, flags, empty and quoted ones.  Which
   code is dead depends on the input, so a profile is good only for the runs it
   was taken from. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t hash = 401;
static int numbers, words, flags[26];

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static int is_number(const char *s)
{
    if (*s == '-')
        s++;
    if (!*s)
        return 0;
    for (; *s; s++)
        if (*s < '0' || *s > '9')
            return 0;
    return 1;
}

static void take_flag(const char *s)
{
    for (; *s; s++)
        if (*s >= 'a' && *s <= 'z')
            flags[*s - 'a']++;
}

static unsigned word_value(const char *s)
{
    unsigned v = 0;

    while (*s)
        v = v * 33u + (unsigned char)*s++;
    return v;
}

int main(int argc, char **argv)
{
    long long sum = 0;
    int i, longest = 0;

    for (i = 1; i < argc; i++) {
        const char *a = argv[i];
        int length = (int)strlen(a);

        if (length > longest)
            longest = length;
        if (is_number(a)) {
            int n = atoi(a);
            sum += n;
            numbers++;
            mix((uint32_t)n);
        } else if (a[0] == '-' && a[1]) {
            take_flag(a + 1);
        } else {
            words++;
            mix(word_value(a));
        }
        printf("argument %d: [%s] %d\n", i, a, length);
    }
    if (argc < 2)
        printf("no arguments\n");
    for (i = 0; i < 26; i++)
        mix((uint32_t)flags[i]);
    printf("numbers %d, words %d, longest %d, sum %lld\n", numbers, words, longest, sum);
    mix((uint32_t)sum);
    mix((uint32_t)(argc * 100 + longest));
    printf("checksum = %08x\n", (unsigned)hash);
    return argv[argc] == NULL ? 0 : 1;
}
