/* Macro arguments turned into text and pasted into names.  The program prints
   the text of its own expressions, so code inserted into an argument, or an
   argument reprinted with other spacing, changes the output. */
#include <stdint.h>
#include <stdio.h>

static uint32_t hash = 347;
static int failures;

#define TEXT(x) #x
#define EXPANDED(x) TEXT(x)
#define SHOW(e) show(#e, (e))
#define EXPECT(e) do { if (!(e)) { failures++; printf("failed: %s\n", #e); } } while (0)
#define RUN(...) do { mix_text(#__VA_ARGS__); __VA_ARGS__; } while (0)
#define FIELD(name) item_##name
#define MAKE(type, name) static type FIELD(name)
#define VERSION 3
#define JOIN(a, b) a ## b

MAKE(int, width) = 4;
MAKE(unsigned char, height) = 5;
static long long JOIN(item_, depth) = 6;

static void mix(uint32_t v)
{
    hash = (hash ^ v) * 16777619u;
}

static void mix_text(const char *s)
{
    while (*s)
        mix((unsigned char)*s++);
}

static void show(const char *text, int value)
{
    printf("%s = %d\n", text, value);
    mix_text(text);
    mix((uint32_t)value);
}

static int triple(int n)
{
    return n * 3;
}

int main(void)
{
    int a = 2, b = 3;
    short list[3] = { 1, 2, 3 };

    SHOW(a + b);
    SHOW(triple( a )*b);
    SHOW(a > b ? a : b);
    SHOW((list[0] = 9, list[0] + list[2]));
    RUN(a += 5; b -= 1);
    RUN(if (a > b) a--; else b--);
    RUN(for (int i = 0; i < 3; i++) { list[i]++; a ^= list[i]; });
    EXPECT(a == 4);
    EXPECT(b < 0);
    EXPECT(list[1] == 3 && "text with \"quotes\"");
    SHOW(item_width * FIELD(height));
    FIELD(width)++;
    mix((uint32_t)(item_width + item_height + JOIN(item_, depth)));
    printf("%s %s %s\n", TEXT(VERSION), EXPANDED(VERSION), TEXT(  spaced   out  ));
    mix_text(EXPANDED(FIELD(VERSION)));
    mix((uint32_t)(a * 100 + b * 10 + failures));
    printf("%s: failures %d\n", __func__, failures);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
}
