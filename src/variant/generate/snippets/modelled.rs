//! The table of functions that have a model.

use crate::variant::generate::feature::Feature;

/// A function and its model.
pub(super) struct Modelled {
    /// What a program must have beside [`Feature::Extensions`]. What compilers without vectors
    /// lack as well stands under [`Feature::Vector`].
    pub(super) needs: Feature,
    /// The types of the result `o` and of the parameters `x`, `y` and `z`.
    pub(super) types: &'static [&'static str],
    /// The body in C; `$U` is a type of up to 32 bits, `$f` the function itself.
    pub(super) text: &'static str,
    /// The same as a template, where `U` is that type.
    pub(super) model: &'static str,
}

macro_rules! modelled {
    ($($needs:ident $types:tt $text:literal = $model:literal;)+) => {
        pub(super) const MODELLED: &[Modelled] = &[$(Modelled {
            needs: Feature::$needs,
            types: &$types,
            text: $text,
            model: $model,
        }),+];
    };
}

modelled! {
    // Copies and fillings of computed sizes.
    Bytes ["u32", "u32", "u32", "u32"]
    "extern void *memcpy(void *, const void *, __SIZE_TYPE__);
    memcpy(&x, &y, z & 3);
    return x;"
    = "u32 t = 1; t = (t << 8 * (z & 3)) - 1; o = x & ~t | y & t;";
    Bytes ["u32", "u32", "u32", "i32"]
    "extern void *memcpy(void *, const void *, __SIZE_TYPE__);
    memcpy(&x, &y, z != 0);
    return x;"
    = "o = x; if (z) o = x & ~255 | y & 255;";
    Memory ["u32", "u8", "u32", "u32"]
    "extern void *memset(void *, int, __SIZE_TYPE__);
    unsigned char b[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    memset(b, x, y & 7);
    return b[z & 7];"
    = "o = (z & 7) < (y & 7) ? x : (z & 7) + 1;";
    Memory ["u32", "u32", "u32", "u32"]
    "extern void *memmove(void *, const void *, __SIZE_TYPE__);
    unsigned char b[12] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
    memmove(b + (x & 3), b + (y & 3), z & 7);
    return b[5];"
    = "u32 t = x & 3; u32 u = y & 3; u32 v = z & 7; o = t + v > 5 ? 5 - t + u : 5;";
    Memory ["u32", "u8", "u32"]
    "extern void *memcpy(void *, const void *, __SIZE_TYPE__);
    struct { unsigned char a[4]; } s = { { 0 } }, t = { { 9, 9, 9, 9 } };
    s.a[3] = x;
    memcpy(t.a, &s.a[1], 3);
    return t.a[y & 3];"
    = "o = (y & 3) == 2 ? x : (y & 3) == 3 ? 9 : 0;";
    Bytes ["u32", "u32", "u32", "u32"]
    "extern int memcmp(const void *, const void *, __SIZE_TYPE__);
    return memcmp(&x, &y, z & 3) == 0;"
    = "u32 t = 1; t = (t << 8 * (z & 3)) - 1; o = (x & t) == (y & t);";
    Bytes ["u32", "u32", "u32"]
    "extern int memcmp(const void *, const void *, __SIZE_TYPE__);
    unsigned char a[3] = { x, y, 1 }, b[3] = { y, x, 2 };
    return memcmp(a, b, 3) < 0;"
    = "o = (u8)x <= (u8)y;";
    // Heap.
    Pointers ["u32", "u32", "u32", "u32"]
    "extern void *malloc(__SIZE_TYPE__);
    extern void free(void *);
    unsigned *p = malloc(2 * sizeof *p), r;
    p[0] = x;
    p[z & 1] = y;
    r = p[0];
    free(p);
    return r;"
    = "o = z & 1 ? x : y;";
    Pointers ["u32", "u32", "u8", "u32"]
    "extern void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);
    extern void free(void *);
    unsigned char *p = calloc(4, 2);
    unsigned r;
    p[x & 7] = y;
    r = p[z & 7] + p[0];
    free(p);
    return r;"
    = "o = ((x & 7) == (z & 7) ? y : 0) + (x & 7 ? 0 : y);";
    Pointers ["u32", "u32", "u32"]
    "extern void *malloc(__SIZE_TYPE__);
    extern void free(void *);
    struct node { struct node *next; unsigned v; } *h = 0, *p;
    unsigned i, r = 0;
    for (i = 0; i < (x & 7); i++) {
        p = malloc(sizeof *p);
        p->v = i * y;
        p->next = h;
        h = p;
    }
    while (h) {
        r = r * 3 + h->v;
        p = h->next;
        free(h);
        h = p;
    }
    return r;"
    = "i32 i = 0; o = 0; for (i = (i32)(x & 7) - 1; i >= 0; i--) o = o * 3 + i * y;";
    Pointers ["i32", "i32", "i32"]
    "extern void *malloc(__SIZE_TYPE__);
    extern void free(void *);
    struct { unsigned a : 1, b : 1, c : 3; } *p = malloc(sizeof *p);
    int r;
    p->c = y;
    p->a = x;
    p->b = 1;
    r = p->c * 4 + p->b * 2 + p->a;
    free(p);
    return r;"
    = "o = (y & 7) * 4 + 2 + (x & 1);";
    // Strings.
    Pointers ["u32", "u32", "u32"]
    "extern __SIZE_TYPE__ strlen(const char *);
    char s[12] = \"mestrasaga\";
    s[x & 7] = y & 1 ? 'q' : 0;
    return strlen(s);"
    = "o = y & 1 ? 10 : x & 7;";
    Pointers ["u32", "u32", "u32", "u32"]
    "extern int strcmp(const char *, const char *);
    char s[4] = \"aa\", t[4] = \"aa\";
    s[x & 1] += y & 3;
    t[z & 1]++;
    return strcmp(s, t) < 0;"
    = "u32 t = x & 1 ? 0 : y & 3; u32 u = x & 1 ? y & 3 : 0; u32 v = z & 1 ? 0 : 1; o = t == v ? u < 1 - v : t < v;";
    Pointers ["u32", "u32", "u32"]
    "extern int sprintf(char *, const char *, ...);
    char b[16];
    int n = sprintf(b, \"%u\", x & 1023);
    return n * 256 + b[0];"
    = "u32 t = x & 1023; o = 304 + (t > 9) * 256 + (t > 99) * 256 + (t > 999) * 256 + (t > 999 ? 1 : t > 99 ? t / 100 : t > 9 ? t / 10 : t);";
    Pointers ["u32", "u32", "u32"]
    "extern char *strcpy(char *, const char *);
    extern char *strcat(char *, const char *);
    extern __SIZE_TYPE__ strlen(const char *);
    char b[24];
    strcpy(b, x & 1 ? \"short\" : \"not so short\");
    strcat(b, y & 2 ? \"er\" : \"\");
    return strlen(b) * 256 + b[5];"
    = "o = ((x & 1 ? 5 : 12) + (y & 2 ? 2 : 0)) * 256 + (x & 1 ? y & 2 ? 101 : 0 : 111);";
    Pointers ["u32", "u32"]
    "char a[12], b[12], *p = a, *q = b;
    unsigned e = x & 4095;
    do
        *p++ = e % 10;
    while (e /= 10);
    while (p != a)
        *q++ = *--p;
    return (q - b) * 16 + b[0];"
    = "u32 t = x & 4095; o = 16 + (t > 9) * 16 + (t > 99) * 16 + (t > 999) * 16 + (t > 999 ? t / 1000 : t > 99 ? t / 100 : t > 9 ? t / 10 : t);";
    Pointers ["u32", "u32", "u32"]
    "extern char *strncpy(char *, const char *, __SIZE_TYPE__);
    char b[8], d[16], *p = b + 8;
    unsigned n = x & 3;
    *--p = 0;
    while (n--)
        *--p = 'a' + n;
    strncpy(d, p, 15);
    return d[y & 7];"
    = "o = (y & 7) < (x & 3) ? 97 + (y & 7) : 0;";
    // Unions, packed structs, bit-fields seen as a whole, numbers changed byte by byte.
    Bytes ["u32", "u32", "u32"]
    "unsigned v[2] = { x, y };
    unsigned char *p = (unsigned char *)v;
    p[y & 7] ^= 255;
    return v[0] - v[1];"
    = "u64 t = 255; t = (t << 8 * (y & 7)) ^ x ^ (u64)y << 32; o = t - (t >> 32);";
    Bytes ["i32", "i16", "u8"]
    "extern void *memmove(void *, const void *, __SIZE_TYPE__);
    memmove(1 + (char *)&x, &y, 1);
    return x >> 10;"
    = "o = (i16)(x & 255 | y << 8) >> 10;";
    Bytes ["u64", "u64", "u32", "u8"]
    "union { unsigned long l; unsigned char b[8]; } u;
    u.l = x;
    u.b[y & 7] = z;
    return u.l;"
    = "u64 t = 255; t = t << 8 * (y & 7); o = x & ~t | (u64)z << 8 * (y & 7);";
    Bytes ["u32", "u32", "u16", "u32"]
    "union { unsigned u; unsigned short h[2]; } a = { x }, b = a;
    a.h[z & 1] = y;
    b.h[0] += a.h[1];
    return a.u ^ b.u;"
    = "u32 t = z & 1 ? x & 65535 | (u32)y << 16 : x & ~65535 | y; u32 u = x & ~65535 | (u16)(x + (t >> 16)); o = t ^ u;";
    Bytes ["u32", "u32", "u32"]
    "union { struct { unsigned a : 5, b : 11, c : 16; } f; unsigned u; } v;
    v.u = x;
    v.f.b = y;
    v.f.a++;
    return v.u;"
    = "u32 t = x & ~65504 | (y & 2047) << 5; o = t & ~31 | t + 1 & 31;";
    Structs ["u32", "u8", "u32", "u16"]
    "struct __attribute__((packed)) { unsigned char a; unsigned b; unsigned short c; } s = { x, y, z }, *p = &s;
    p->b ^= p->c;
    s.c += s.a;
    return s.b + s.c;"
    = "o = (y ^ z) + (u16)(z + x);";
    Structs ["u32", "u32", "u32", "u32"]
    "struct __attribute__((packed)) s { unsigned char a; unsigned b[3]; } v[2] = { { x, { 1, y, z } }, { 2 } };
    v[1] = v[0];
    v[0].b[z % 3] = 7;
    v[1].b[2] -= v[0].b[1];
    return v[1].b[2] + v[0].a;"
    = "o = z - (z % 3 == 1 ? 7 : y) + (u8)x;";
    // Memory of variable length.
    Arrays ["u32", "u32", "u32", "u32"]
    "unsigned n = (x & 7) + 1, i, v[n];
    for (i = 0; i < n; i++)
        v[i] = i * y;
    v[z % n] = 5;
    return v[n - 1] + v[0];"
    = "u32 t = (x & 7) + 1; u32 u = z % t; o = (u == t - 1 ? 5 : (t - 1) * y) + (u == 0 ? 5 : 0);";
    Vector ["u32", "u32", "u32", "u32"]
    "extern void *memset(void *, int, __SIZE_TYPE__);
    unsigned n = (x & 3) + 1, m[3][n], (*r)[n] = m;
    memset(m, 0, sizeof m);
    r[1][x & 3] = y;
    (*(r + 2))[0] = z;
    return m[1][x & 3] - m[2][0] + m[0][0];"
    = "o = y - z;";
    Vector ["u32", "u32", "u8", "u8"]
    "extern void *memset(void *, int, __SIZE_TYPE__);
    unsigned char *p = __builtin_alloca((x & 15) + 1);
    memset(p, y, (x & 15) + 1);
    p[0] ^= z;
    return p[x & 15];"
    = "o = x & 15 ? y : y ^ z;";
    Pointers ["u32", "u32", "u32", "u32"]
    "unsigned *p = (unsigned[]){ x, y, z, 7 };
    p[x & 3] += 1;
    return p[y & 3];"
    = "u32 t = y & 3; o = (t == 0 ? x : t == 1 ? y : t == 2 ? z : 7) + ((x & 3) == t);";
    Pointers ["u32", "u32", "u32", "u32"]
    "unsigned *p = &x, *q = &y, **r = x < y ? &p : &q;
    **r += z;
    *r = &z;
    **r = 3;
    return *p - *q;"
    = "o = x < y ? 3 - y : x - 3;";
    // Ways through code.
    Gotos ["u32", "u32", "u32", "u32"]
    "void *way[] = { &&one, &&two, &&three, &&four };
    goto *way[x & 3];
one:
    y += z;
two:
    y ^= 5;
    goto *way[3 - (y & 1)];
three:
    y *= 3;
four:
    return y;"
    = "o = y; if ((x & 3) == 0) o += z; if ((x & 3) < 2) { o ^= 5; if (o & 1) o *= 3; } else { if ((x & 3) == 2) o *= 3; }";
    Switches ["u32", "i32", "u32", "u32"]
    "switch (x) {
    case -5 ... 3:
        return y;
    case 100 ... 200:
        return z;
    case 4:
    case 6:
        return y + z;
    default:
        return 9;
    }"
    = "o = x >= -5 && x <= 3 ? y : x >= 100 && x <= 200 ? z : x == 4 || x == 6 ? y + z : 9;";
    Switches ["i32", "i32", "i32"]
    "static const signed char map[] = { 3, 1, -4, 1, -5, 9, -2, 6 };
    const signed char *p = map;
    while (x > 0 && p < map + 7)
        p++, x -= *p < 0 ? 1 : 2;
    return y ? *p : p - map;"
    = "i32 t = 0; i32 u = x; while (u > 0 && t < 7) { t++; if (t == 2 || t == 4 || t == 6) u -= 1; else u -= 2; } o = !y ? t : t == 0 ? 3 : t == 1 ? 1 : t == 2 ? -4 : t == 3 ? 1 : t == 4 ? -5 : t == 5 ? 9 : t == 6 ? -2 : 6;";
    // Sums, differences and products that may not fit.
    Builtins ["i64", "i32", "u32", "i32"]
    "$U r;
    return __builtin_add_overflow(x, y, &r) ? z : r;"
    = "i64 t = (i64)x + y; o = (U)t == t ? (U)t : z;";
    Builtins ["i64", "i32", "u32", "i32"]
    "$U r;
    int lost = __builtin_sub_overflow(y, x, &r);
    return lost ? z - (r > 0) : r;"
    = "i64 t = (i64)y - x; o = (U)t == t ? (U)t : z - ((U)t > 0);";
    Builtins ["i64", "i32", "u32", "i32"]
    "$U r;
    return __builtin_mul_overflow(x, y, &r) ? z : r;"
    = "i64 t = (i64)x * y; o = (U)t == t ? (U)t : z;";
    Builtins ["u32", "u32", "u32"]
    "unsigned *p = &x;
    int lost = __builtin_add_overflow(*p, y, p);
    return lost * 8 + (x & 7);"
    = "u32 t = x + y; o = (t < x) * 8 + (t & 7);";
    Builtins ["u32", "u32"]
    "int lost = __builtin_mul_overflow(x, x, &x);
    return lost ? x >> 1 : x;"
    = "u64 t = (u64)x * x; o = t >> 32 ? (u32)t >> 1 : (u32)t;";
    // Loops of many turns, and recursion that is a loop.
    Loops ["u32", "u32"]
    "int e = -2147483647 - 1;
    do {
        e += 65536;
        x -= 3;
    } while (e < 20);
    return x;"
    = "o = x - 98307;";
    Loops ["i32", "i32"]
    "signed char c = x;
    int e = -2147483647 - 1;
    while (e < 20) {
        e += 65536;
        c -= 7;
    }
    return c;"
    = "o = (i8)((u32)x - 229383);";
    Recursion ["u32", "u32", "u32"]
    "return x < 2 ? y : $f(x / 2, y * 3 + (x & 1));"
    = "u32 t = x; o = y; while (t >= 2) { o = o * 3 + (t & 1); t = t / 2; }";
    Recursion ["u32", "u32", "u32"]
    "return x & 15 ? y + $f((x & 15) - 1, y * 2) : 1;"
    = "u32 t = x & 15; u32 u = y; o = 1; while (t) { o = o + u; u = u * 2; t--; }";
    // Floating-point numbers, all of them exact.
    Float ["i64", "i32", "i32"]
    "double d = x, e = y;
    return d < e ? d - e : (long)(d / 2);"
    = "o = x < y ? (i64)x - y : (i64)(x / 2);";
    Float ["i32", "u32", "u32"]
    "float f = x & 4095, g = y & 4095;
    return f * g > 65536.0f ? f + g : f - g;"
    = "i32 t = x & 4095; i32 u = y & 4095; o = t * u > 65536 ? t + u : t - u;";
    Float ["i32", "i32", "i32", "i32"]
    "double v[4] = { x, y, z, 0.5 };
    int i, r = 0;
    for (i = 0; i < 3; i++)
        r = r * 2 + (v[i] + v[3] > v[i + 1]);
    return r;"
    = "o = (x >= y) * 4 + (y >= z) * 2 + (z > 0);";
    Vector ["i64", "u32", "u32"]
    "_Complex double v = (x & 255) + (y & 255) * 1.0i;
    v *= v;
    return (long)__real__ v - (long)__imag__ v;"
    = "i64 t = x & 255; i64 u = y & 255; o = t * t - u * u - 2 * t * u;";
    // What only gcc and clang have.
    Vector ["u32", "u32", "u32", "u32"]
    "unsigned v = x, r = __atomic_fetch_add(&v, y, 5);
    if (__sync_bool_compare_and_swap(&v, z, 7))
        r ^= v;
    return r - v;"
    = "u32 t = x + y; u32 u = x; if (t == z) { t = 7; u ^= 7; } o = u - t;";
    Vector ["u32", "u8", "u8"]
    "unsigned char v = x;
    unsigned r = __atomic_or_fetch(&v, y, 0);
    r += __atomic_fetch_xor(&v, 85, 0);
    return r * 256 + v;"
    = "u8 t = x | y; o = t * 512 + (t ^ 85);";
    Vector ["u32", "u32", "u32"]
    "extern void *malloc(__SIZE_TYPE__);
    extern void free(void *);
    struct part { long v; struct part *next; } *p;
    struct whole { long x; struct part list[]; } *w = malloc(sizeof *w + 2 * sizeof *p);
    unsigned r;
    w->list[0].next = &w->list[1];
    p = w->list;
    __asm__(\"\" : \"+r\"(w) : \"r\"(p));
    p->v = x;
    if (y)
        p->next = 0;
    r = (w->list->next != 0) * 4 + (w->list->v & 3);
    free(w);
    return r;"
    = "o = !y * 4 + (x & 3);";
    Vector ["u32", "u32"]
    "__asm__(\"\" : \"+r\"(x));
    return x;"
    = "o = x;";
    Vector ["i64", "i64"]
    "__asm__ volatile(\"\" : \"+r\"(x) : : \"memory\");
    return x;"
    = "o = x;";
    Vector ["i32", "i32", "i32"]
    "return __builtin_constant_p(x) ? x < y : !(x >= y);"
    = "o = x < y;";
    Vector ["i32", "i32", "i32", "u32"]
    "typedef int four __attribute__((vector_size(16)));
    four a = { x, y, x, y }, b = { y, y, x, x };
    a = a > b;
    return a[z & 3];"
    = "o = (z & 3) == 0 ? -(x > y) : (z & 3) == 3 ? -(y > x) : 0;";
    Vector ["u32", "u32", "u32", "u32"]
    "typedef unsigned char many __attribute__((vector_size(16)));
    many a = { 0 };
    a[x & 15] = y;
    a += a;
    return a[z & 15];"
    = "o = (x & 15) == (z & 15) ? (u8)(y + y) : 0;";
    Int128 ["u64", "u64", "u64", "u32"]
    "unsigned __int128 t = (unsigned __int128)x << 64 | y;
    return t >> (z & 63);"
    = "u32 t = z & 63; o = t ? x << 64 - t | y >> t : y;";
    Int128 ["u64", "u32", "u64"]
    "return (unsigned __int128)x * y >> 32;"
    = "o = x * (y >> 32) + ((u64)x * (y & 4294967295) >> 32);";
    Int128 ["u32", "u64", "u64"]
    "__int128 a = (__int128)x - y;
    return a < 0 ? -a : a + 1;"
    = "o = x < y ? y - x : x - y + 1;";
    Qualifiers ["i32", "i32", "i32"]
    "volatile int v = x;
    int r = v == y;
    v = r;
    return v & x;"
    = "o = (x == y) & x;";
    // Unions of structs with holes, and structs filled in part, copied as a whole.
    Structs ["i32", "i32", "i32", "u32"]
    "struct hole { int a; long b; };
    struct full { int a, b; };
    union both { struct hole h; struct full f; } u, v, w;
    volatile int never = 0;
    u.f.a = x;
    u.f.b = y;
    v = u;
    if (never)
        v.h = u.h;
    w = v;
    return z & 1 ? w.f.a : w.f.b;"
    = "o = z & 1 ? x : y;";
    Structs ["u32", "u8", "u32", "u32"]
    "struct thin { unsigned char a; unsigned b; };
    struct wide { unsigned char a; long b; };
    union either { struct thin t; struct wide w; } u[2], v;
    u[0].t.a = 1;
    u[0].t.b = y;
    u[1].w.a = x;
    u[1].w.b = z;
    v = u[y & 1];
    return y & 1 ? v.w.a + (unsigned)v.w.b : v.t.a + v.t.b;"
    = "o = y & 1 ? x + z : 1 + y;";
    Memory ["u32", "u8", "u32"]
    "extern void *memset(void *, int, __SIZE_TYPE__);
    struct { unsigned char a; unsigned short b; unsigned c; } s;
    memset(&s, x, sizeof s);
    s.b = y;
    return s.c ^ s.b ^ s.a;"
    = "o = x * 16843009 ^ (u16)y ^ x;";
    Vector ["u32", "u32", "u32", "u32"]
    "struct text { char c[16]; };
    struct { unsigned a : 3, b : 8, c : 21; struct text d; unsigned e; struct text f; unsigned g : 5, h : 27; } s = { 0 };
    __asm__ volatile(\"\" : : \"r\"(&s) : \"memory\");
    s.b = x;
    s.c = 42;
    s.d = (struct text){ \"abcdefghijklmno\" };
    s.e = y;
    s.f = (struct text){ \"ABCDEFGHIJKLMNO\" };
    s.g = z;
    __asm__ volatile(\"\" : : \"r\"(&s) : \"memory\");
    return s.a + s.b + s.c + s.d.c[1] + s.e + s.f.c[2] + s.g + s.h;"
    = "o = (x & 255) + 42 + 98 + y + 67 + (z & 31);";
    Vector ["u32", "u32"]
    "struct __attribute__((packed)) part { signed : 31; unsigned b : 20; } s, t;
    s.b = x;
    t = s;
    __asm__ volatile(\"\" : : \"r\"(&t) : \"memory\");
    return t.b;"
    = "o = x & 1048575;";
    // Rows of arrays by pointers, matrices of computed size, one of two objects.
    Pointers ["u32", "u32", "u32"]
    "unsigned a[2][4] = { { x, y, 3, 4 }, { 5, 6, x, y } }, (*p)[4] = a, r = 0;
    int i, j;
    for (i = 0; i < 2; i++)
        for (j = 0; j < 4; j++)
            r = r * 3 + *(*(p + i) + j);
    return r;"
    = "o = x * 2190 + y * 730 + 1242;";
    Pointers ["u32", "u32", "u32", "u32"]
    "unsigned a[3][2] = { { x, 1 }, { y, 2 }, { z, 3 } }, (*p)[2] = a;
    while (p < a + 2 && (*p)[0] < p[1][0])
        p++;
    return (*p)[1];"
    = "o = x >= y ? 1 : y >= z ? 2 : 3;";
    Pointers ["u32", "u32", "u32", "u32"]
    "int n = (z & 1) + 2, i, j;
    unsigned m[n][n], k[n][n], r = y;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            m[i][j] = k[i][j] = i * n + j;
    k[1][0] = k[0][1];
    for (i = 0; i + 1 < n; i++)
        for (j = 0; j < n; j++)
            if (m[i + 1][j] > m[i][j])
                r = r * 5 + x * k[i][j];
    return r;"
    = "i32 t = (z & 1) + 2; i32 i = 0; i32 u = 0; o = y; for (i = 0; i + 1 < t; i++) for (u = 0; u < t; u++) o = o * 5 + x * (i == 1 && u == 0 ? 1 : i * t + u);";
    Pointers ["u32", "u32", "u32", "u32"]
    "unsigned a = x, b = y, *p = z & 1 ? &a : &b, *q = z & 2 ? &a : p;
    *p += 3;
    *q ^= a;
    return a - b * 2;"
    = "u32 t = x; u32 u = y; if (z & 1) t += 3; else u += 3; if (z & 2 || z & 1) t = 0; else u = u ^ t; o = t - u * 2;";
    Pointers ["u32", "u32", "u32", "u32"]
    "unsigned *p = (unsigned[3]){ x, y, 7 };
    p[z % 3] += p[1];
    return p[0] ^ p[2];"
    = "u32 t = z % 3; o = (t == 0 ? x + y : x) ^ (t == 2 ? 7 + y : 7);";
    Pointers ["u32", "u32", "u32"]
    "extern char *strchr(const char *, int);
    const char *s = y & 1 ? \"mestra\" : \"arts\", *p = strchr(s, 'a' + x % 26);
    return p ? p - s : 99;"
    = "u32 t = x % 26; o = 99; if (y & 1) o = t == 12 ? 0 : t == 4 ? 1 : t == 18 ? 2 : t == 19 ? 3 : t == 17 ? 4 : t == 0 ? 5 : 99; else o = t == 0 ? 0 : t == 17 ? 1 : t == 19 ? 2 : t == 18 ? 3 : 99;";
    Pointers ["u32", "u32", "u32"]
    "extern void *memchr(const void *, int, __SIZE_TYPE__);
    unsigned char s[6] = { 9, 8, 7, 8, 9, 6 }, *p = memchr(s, 6 + (x & 3), y & 7 ? y & 3 : 6);
    return p ? p - s : 99;"
    = "u32 t = 6 + (x & 3); u32 u = y & 7 ? y & 3 : 6; u32 v = t == 9 ? 0 : t == 8 ? 1 : t == 7 ? 2 : 5; o = v < u ? v : 99;";
    Pointers ["u32", "u32", "u32"]
    "extern int snprintf(char *, __SIZE_TYPE__, const char *, ...);
    char b[4] = \"zzz\";
    int n = snprintf(b, y & 3, \"%u\", x & 15);
    return n * 256 + b[0];"
    = "u32 t = x & 15; o = (t > 9 ? 512 : 256) + ((y & 3) == 0 ? 122 : (y & 3) == 1 ? 0 : t > 9 ? 49 : 48 + t);";
    Pointers ["u32", "u32", "u32"]
    "extern char *strdup(const char *);
    extern void free(void *);
    char h[4], *b = h, c = 'n';
    unsigned i, r;
    for (i = 0; i < 2; i++)
        if (x & 1 << i) {
            h[0] = '-';
            h[1] = 'a' + (y & 7);
            h[2] = 0;
            if (b != h)
                free(b);
            b = strdup(h);
        }
    r = b == h ? c : b[1];
    if (b != h)
        free(b);
    return r;"
    = "o = x & 3 ? 97 + (y & 7) : 110;";
    // Vectors at any address, complex integers as bytes, wide bit-fields.
    Vector ["u64", "u64", "u64", "u32"]
    "typedef unsigned long two __attribute__((vector_size(16), may_alias, aligned(1)));
    unsigned long c[8] = { 0 };
    int i;
    for (i = 0; i < 4; i++) {
        *(two *)&c[i] += (two){ x, x };
        *(two *)&c[i + 2] += (two){ y, y };
    }
    return c[z & 7];"
    = "u32 t = z & 7; o = x * ((t <= 3) + (t >= 1 && t <= 4)) + y * ((t >= 2 && t <= 5) + (t >= 3 && t <= 6));";
    Vector ["u32", "u16", "u16"]
    "extern void *memmove(void *, const void *, __SIZE_TYPE__);
    _Complex unsigned short c;
    unsigned short r;
    __real__ c = x;
    __imag__ c = y;
    memmove(&r, 1 + (char *)&c, 2);
    return r;"
    = "o = (u16)(x >> 8 | y << 8);";
    Int128 ["u64", "u64", "u8", "u8"]
    "struct { unsigned a : 4, b : 4; unsigned __int128 c : 70; } s;
    s.a = y;
    s.b = z;
    s.c = x;
    s.c += x;
    return (unsigned long)s.c ^ s.a ^ s.b << 4;"
    = "o = x + x ^ (y & 15) ^ (z & 15) << 4;";
    Int128 ["i64", "i32"]
    "struct { __int128 f : 119; } s = { (__int128)x * ((__int128)1 << 50) };
    return s.f / 2 >> 49;"
    = "o = x;";
}
