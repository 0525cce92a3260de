/* mestra-flags: -std=gnu89 */
/* Without a declaration, what calloc returns is a pointer only to a compiler that knows it: with
   -fno-builtin it is an int, and half of the address is lost. */
struct pair { int one, two; };
int main(void)
{
    struct pair *pair = calloc(64, sizeof *pair * 4096);
    pair->two = 2;
    printf("%d\n", pair->one + pair->two);
    return 0;
}
