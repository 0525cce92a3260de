/* Comments between any two tokens, comments that hold code, line comments
   that a backslash carries on, and comment marks in strings.  Searching the
   text for a brace or semicolon finds those in comments first. */
#include <stdint.h>
#include <stdio.h>

static uint32_t/**/hash/* ; */=/* { */379/* } */;
static int /* the counter */ counter // not 5 = 5;
    = 1;

static void mix(uint32_t v) // {
/* } */ { // {
    hash = (hash ^ v) * 16777619u; /* } */
} // }

static int/*c*/branch/*c*/(/*c*/int/*c*/n/*c*/)/*c*/
{
    int r = 0;

    if /*c*/ (n > 3) // then
        /* if (n > 4) { */ r = 1; /* ; */
    // r = 2;
    else /* ; */ if /* ( */ (n /* ) */ == 2) /* { */ // {
    { // r = 3; }
        r = 3; /*
    } */
    }
    else // else r = 5;
        r /* = 6; */ = /*
        */ 7;

    for /*;*/ (int i = 0 /*;*/; i < /* ) */ 3; /* ; */ i++ /* ) */) /* { */
        r += i; // }

    do /*{*/ r++; /* } */ while /* ( */ (r % 4 /* ) */) /* no ; yet */ ; // ;
    while (r > 9) // {
        r--; /* } */

    /* a comment that goes on \
       over a line end */ r += 2; // this one too \
    r = 1000; \
    r = 2000;
    /**/;/**/
    //* r = -1; */
    return /* 0; */ r /* ; */ ; // return 0;
}

static int select_case(int n)
{
    switch /*(*/ (n) /*{*/ { // {
    case /* 9 */ 1 /* : */ : /* break; */ n += 10; // break;
    /* case 2: */ break /**/ ;
    default /**/ : /*}*/ n -= 1; goto /**/ out /**/ ;
    } // }
    n *= 2;
out /**/ : /**/ ;
    return n /**/ ? /**/ n /* : */ : /* ? */ - /**/ 1;
}

int main(/* no */ void /* arguments */)
{
    const char *trap = "/* not a comment", *end = "*/ // nor this";
    int k;

    for (k = 0; k < 8; k++) {
        int b = branch(k), s = select_case(k);
        counter += b /*/ + 1 /*/ + s //**/ 2
            ;
        printf("%d: %d %d %d // %c\n", k, b, s, counter, '"' /* " */);
        mix((uint32_t)b), mix((uint32_t)s);
    }
    while (*trap) mix((unsigned char)*trap++); /* " */
    while (*end) mix((unsigned char)*end++);   // '
    mix((uint32_t)counter);
    printf("checksum = %08x\n", (unsigned)hash);
    return 0;
} /* the end: } */
