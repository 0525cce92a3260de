/* Long tables of strings with escapes, concatenation, quotes, comment marks
   and braces inside literals.  A mutator that finds statements by scanning
   text takes the contents of strings for code. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t hash = 227;
static int matched;

static const char *const messages[] = {
    "plain",
    "a \"quoted\" word",
    "semicolons; { braces } and if (x) return 1;",
    "/* not a comment */ // nor this",
    "back\\slash and \t tab and \x41\102\e[0m",
    "split " "into " "three",
    "question??? marks",
    "first line"
    " continues"
    " on three lines",
    "%d percent %s signs",
    "'single' \'escaped\'",
    "nul\0hidden",
    "}",
    "case 1: break; default:",
    "#define NOT_A_DIRECTIVE",
    "",
};

static const char letters[] = { '\'', '"', '{', '}', ';', '\\', '/', '*', '#', '\0', '\n' };
static const char multi[2][3][8] = { { "one", "two", "three" }, { "four", "five", "sixteen" } };

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static unsigned digest(const char *s)
{
    unsigned h = 0;

    while (*s)
        h = h * 131u + (unsigned char)*s++;
    return h;
}

static int braces(const char *s)
{
    int depth = 0, most = 0;

    for (; *s; s++)
        switch (*s) {
        case '{': if (++depth > most) most = depth; break;
        case '}': depth--; break;
        case '"': case '\'': matched++; break;
        case '\\': matched += 10; /* backslash */
        }
    return most * 10 + depth;
}

int main(void)
{
    unsigned i, j;

    for (i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        const char *s = messages[i];
        printf("%u: %d chars, braces %d\n", i, (int)strlen(s), braces(s));
        mix(digest(s));
        mix((uint32_t)braces(s));
    }
    for (i = 0; i < sizeof letters; i++)
        mix((unsigned char)letters[i]);
    for (i = 0; i < 2; i++)
        for (j = 0; j < 3; j++)
            mix(digest(multi[i][j]));
    mix((uint32_t)sizeof "nul\0hidden");
    mix((uint32_t)matched);
    printf("%s%c%s", "text with } and { ", '}', ";\n");
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
