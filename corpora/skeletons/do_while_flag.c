/* A condition behind the body, which sees none of its names. */
int printf(const char *, ...);

int main(void)
{
    int tries = 0, done = 0;
    do {
        int odd = tries & 1;
        done = odd && tries > 2;
        tries++;
    } while (!done);
    printf("%d %d\n", tries, done);
    return 0;
}
