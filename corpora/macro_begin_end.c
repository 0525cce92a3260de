/* Macros that stand for braces and for the starts and ends of statements, in
   the manner of another language.  A statement begins in one expansion and
   ends in another, and its braces cannot be found in the text. */
#include <stdint.h>
#include <stdio.h>

#define BEGIN {
#define END }
#define IF if (
#define THEN ) {
#define ELSE } else {
#define ELSIF } else if (
#define FI }
#define WHILE while (
#define DO ) {
#define OD }
#define FOR(v, a, b) for (v = (a); v <= (b); v++) {
#define NEXT }
#define REPEAT do {
#define UNTIL(c) } while (!(c));
#define SELECT(x) switch (x) { default:
#define WHEN(v) break; case v:
#define DONE }
#define PROCEDURE(name) static void name(void) {
#define FUNCTION(name, arg) static int name(int arg) { int name##_result = 0;
#define RESULT(name, v) name##_result = (v);
#define RETURNS(name) return name##_result; }

static uint32_t hash = 331;
static int total, digits[10];

static void mix(uint32_t v)
BEGIN
    hash = (hash ^ v) * 16777619u;
END

FUNCTION(sign, n)
    IF n > 0 THEN
        RESULT(sign, 1)
    ELSIF n < 0 THEN
        RESULT(sign, -1)
    ELSE
        total++;
    FI
RETURNS(sign)

FUNCTION(digit_sum, n)
    int rest = n;
    WHILE rest > 0 DO
        digits[rest % 10]++;
        RESULT(digit_sum, digit_sum_result + rest % 10)
        rest /= 10;
    OD
RETURNS(digit_sum)

FUNCTION(weight, n)
    short extra = 0;
    SELECT(n % 5)
        extra = 1;
    WHEN(1)
        extra = 10;
    WHEN(2)
        IF n > 6 THEN extra = 20; ELSE extra = 30; FI
    WHEN(4)
        REPEAT
            extra = (short)(extra + 7);
        UNTIL(extra > 30)
    DONE
    RESULT(weight, extra * 2)
RETURNS(weight)

PROCEDURE(report)
    int i;
    FOR(i, 0, 9)
        mix((uint32_t)digits[i]);
    NEXT
    printf("total %d\n", total);
END

int main(void)
BEGIN
    int k;
    FOR(k, -2, 12)
        BEGIN
            int s = sign(k), d = digit_sum(k * k * 37), w = weight(k + 2);
            printf("%d: %d %d %d\n", k, s, d, w);
            mix((uint32_t)(s + 1)); mix((uint32_t)d); mix((uint32_t)w);
        END
    NEXT
    report();
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
END
