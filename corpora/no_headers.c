/* Includes no header: declares the library functions it needs by itself, with
   own names that a header would also define.  Adding an #include for helper
   code makes these declarations clash. */

typedef unsigned uint32;
typedef struct { int size_of_t; } div_t;
typedef long my_size;
enum { EOF = -7, NULL_LIKE = 0 };
struct FILE_like { int fd; };

int printf(const char *format, ...);
int putchar(int);

static uint32 hash = 479;
static int stdin = 4, stdout = 9, errno = 2;
static int remove_count;

static void mix(uint32 v)
{
    hash = (hash ^ v) * 16777619u;
}

static int isalpha_like(int c)
{
    return (c | 32) >= 'a' && (c | 32) <= 'z';
}

static int rand_r(int *state)
{
    *state = *state * 5 % 1009 + 3;
    return *state;
}

static int assert(int condition)
{
    errno += !condition;
    return condition;
}

static div_t divide(int a, int b)
{
    div_t d;

    d.size_of_t = assert(b != 0) ? a / b : EOF;
    return d;
}

static int letters(const char *s)
{
    int n = NULL_LIKE;

    for (; *s; s++)
        if (isalpha_like(*s))
            n++;
        else
            remove_count++;
    return n;
}

int main(void)
{
    struct FILE_like f = { 1 };
    int state = 17, k;

    for (k = 0; k < 7; k++) {
        div_t d = divide(rand_r(&state), k % 4);
        stdin = stdin * 3 % 101 + stdout;
        stdout ^= k;
        printf("%d: %d %d %d\n", k, d.size_of_t, stdin, stdout);
        mix((uint32)d.size_of_t);
        mix((uint32)(stdin + stdout * 256));
        f.fd += (int)sizeof(my_size) > 2;
    }
    mix((uint32)letters("no headers, 0 includes!"));
    mix((uint32)(errno * 1000 + remove_count + f.fd));
    putchar('.');
    putchar('\n');
    printf("checksum = %08x\n", hash);
    return 0;
}
