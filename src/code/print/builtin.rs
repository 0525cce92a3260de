//! What gcc and clang know beyond C, for compilers that do not: builtin functions, words.

/// Makes words of GNU C mean nothing, or what C means by them, to compilers that know no such
/// words. tcc knows these.
pub const GNU_WORDS: &str = "\
#if !defined __GNUC__ && !defined __TINYC__
#define __attribute__(list)
#define __inline inline
#endif
";

/// Definitions for compilers other than gcc and clang, such as tcc, to stand
/// before the first use of a builtin function. Empty for those that have them.
pub const BUILTINS: &str = "\
#ifndef __GNUC__
extern void *memcpy(void *, const void *, __typeof__(sizeof(0)));
extern void *memmove(void *, const void *, __typeof__(sizeof(0)));
extern void *memset(void *, int, __typeof__(sizeof(0)));
extern int memcmp(const void *, const void *, __typeof__(sizeof(0)));
extern void *malloc(__typeof__(sizeof(0)));
extern void free(void *);
#define __builtin_malloc malloc
#define __builtin_free free
#define __builtin_memcpy memcpy
#define __builtin_memmove memmove
#define __builtin_memset memset
#define __builtin_memcmp memcmp
#define __builtin_expect(x, y) ((long)(x))
#define __builtin_unreachable() ((void)0)
static int __builtin_popcountll(unsigned long long x) { int n; for (n = 0; x; n++) x &= x - 1; return n; }
static int __builtin_popcountl(unsigned long x) { return __builtin_popcountll(x); }
static int __builtin_popcount(unsigned x) { return __builtin_popcountll(x); }
static int __builtin_parityll(unsigned long long x) { return __builtin_popcountll(x) & 1; }
static int __builtin_parityl(unsigned long x) { return __builtin_popcountll(x) & 1; }
static int __builtin_parity(unsigned x) { return __builtin_popcountll(x) & 1; }
static int __builtin_ctzll(unsigned long long x) { return __builtin_popcountll((x & -x) - 1); }
static int __builtin_ctzl(unsigned long x) { return __builtin_ctzll(x); }
static int __builtin_ctz(unsigned x) { return __builtin_ctzll(x); }
static int __builtin_clzll(unsigned long long x) { int n; for (n = 64; x; n--) x >>= 1; return n; }
static int __builtin_clzl(unsigned long x) { return __builtin_clzll(x) - 64 + 8 * (int)sizeof(x); }
static int __builtin_clz(unsigned x) { return __builtin_clzll(x) - 32; }
static int __builtin_ffsll(long long x) { return x ? __builtin_ctzll(x) + 1 : 0; }
static int __builtin_ffsl(long x) { return __builtin_ffsll(x); }
static int __builtin_ffs(int x) { return __builtin_ffsll(x); }
static int __builtin_clrsbll(long long x) { return __builtin_clzll((unsigned long long)(x < 0 ? ~x : x) << 1 | 1); }
static int __builtin_clrsbl(long x) { return __builtin_clrsbll(x) - 64 + 8 * (int)sizeof(x); }
static int __builtin_clrsb(int x) { return __builtin_clrsbll(x) - 32; }
static int __builtin_abs(int x) { return x < 0 ? -x : x; }
static long __builtin_labs(long x) { return x < 0 ? -x : x; }
static long long __builtin_llabs(long long x) { return x < 0 ? -x : x; }
static unsigned short __builtin_bswap16(unsigned short x) { return x << 8 | x >> 8; }
static unsigned __builtin_bswap32(unsigned x) { return (unsigned)__builtin_bswap16(x) << 16 | __builtin_bswap16(x >> 16); }
static unsigned long __builtin_bswap64(unsigned long x) { return (unsigned long)__builtin_bswap32(x) << 32 | __builtin_bswap32(x >> 32); }
/* Numbers are magnitudes with signs; the result has 128 bits. */
static int mestra_overflow(int op, unsigned long long a, int an, unsigned long long b, int bn, int bits, int is_signed, unsigned long long *low)
{
    unsigned long long hi = 0, lo, most;
    int n;
    if (an) a = -a;
    if (bn) b = -b;
    if (op == '*') {
        unsigned long long al = a & 0xffffffff, ah = a >> 32, bl = b & 0xffffffff, bh = b >> 32;
        unsigned long long one = al * bl, two = ah * bl + (one >> 32), three = al * bh + (two & 0xffffffff);
        lo = three << 32 | one & 0xffffffff;
        hi = ah * bh + (two >> 32) + (three >> 32);
        n = an ^ bn;
    } else {
        if (op == '-') bn = !bn;
        n = an;
        if (an == bn) { lo = a + b; hi = lo < a; }
        else if (a >= b) lo = a - b;
        else { lo = b - a; n = bn; }
    }
    *low = n ? -lo : lo;
    most = is_signed ? (1ULL << (bits - 1)) - !n : n ? 0 : ~0ULL >> (64 - bits);
    return hi || lo > most;
}
#define MESTRA_OVERFLOW(op, a, b, p) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); __typeof__(p) p_ = (p); unsigned long long low_; int lost_ = mestra_overflow(op, a_, a_ < 0, b_, b_ < 0, 8 * sizeof(*p_), (__typeof__(*p_))-1 < 0, &low_); *p_ = low_; (_Bool)lost_; })
#define __builtin_add_overflow(a, b, p) MESTRA_OVERFLOW('+', a, b, p)
#define __builtin_sub_overflow(a, b, p) MESTRA_OVERFLOW('-', a, b, p)
#define __builtin_mul_overflow(a, b, p) MESTRA_OVERFLOW('*', a, b, p)
#endif
";
