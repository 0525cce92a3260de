//! The functions and macros whose values are open.

/// Functions that return a number of which only the sign is specified.
pub(super) const COMPARISONS: &[&str] = &[
    "memcmp",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strcoll",
    "wcscmp",
    "wcsncmp",
    "wmemcmp",
    "bcmp",
];

/// Functions that no library rounds correctly in all cases; `sqrt`, `floor` and others that
/// are exact are not among them.
pub(super) const LIBM: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "erf",
    "erfc", "exp", "exp10", "exp2", "expm1", "hypot", "j0", "j1", "jn", "lgamma", "log", "log10",
    "log1p", "log2", "pow", "powi", "sin", "sincos", "sinh", "tan", "tanh", "tgamma", "y0", "y1",
    "yn", "cabs", "cacos", "cacosh", "carg", "casin", "casinh", "catan", "catanh", "ccos", "ccosh",
    "cexp", "clog", "clog10", "cpow", "csin", "csinh", "csqrt", "ctan", "ctanh",
];

/// Functions whose result is open for some arguments: either zero, or a number out of range.
const PARTLY_OPEN: &[&str] = &["fmax", "fmin", "llrint", "llround", "lrint", "lround"];

/// Functions that write a number through a pointer of which only a part is specified.
pub(super) const LIBM_BY_POINTER: &[&str] = &["remquo", "remquof", "remquol"];

/// Functions of the library that read objects byte by byte.
pub(super) const BYTE_READERS: &[&str] = &["bcmp", "fwrite", "memchr", "memcmp", "write"];

/// Words that keep sanitizers from seeing a part of a program, or tell it that they do.
pub(super) const UNSANITIZED: &[&str] = &[
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_memory",
    "no_sanitize_thread",
    "no_sanitize_undefined",
    "no_address_safety_analysis",
    "disable_sanitizer_instrumentation",
    "address_sanitizer",
    "memory_sanitizer",
    "undefined_behavior_sanitizer",
];

/// Words of pragmas and attributes that let a compiler compute with floating-point numbers as
/// the flags of a campaign forbid.
pub(super) const FLOAT_FREEDOMS: &[&str] = &[
    "FP_CONTRACT",
    "Ofast",
    "associative",
    "contract",
    "fast",
    "fp",
    "float_control",
    "math",
    "reassociate",
    "reciprocal",
];

/// Words of pragmas by which a program promises that iterations of a loop are independent.
pub(super) const LOOP_PROMISES: &[&str] = &["assume_safety", "independent", "ivdep", "simd"];

/// Functions that set `errno` when memory runs out, unless a compiler removes the call.
pub(super) const ALLOCATIONS: &[&str] = &[
    "malloc",
    "calloc",
    "realloc",
    "aligned_alloc",
    "memalign",
    "posix_memalign",
    "strdup",
    "strndup",
];

/// Functions whose result changes from run to run.
pub(super) const CLOCKS: &[&str] = &[
    "time",
    "clock",
    "times",
    "getpid",
    "getppid",
    "gettid",
    "getpgrp",
    "getsid",
    "pthread_self",
    "__rdtsc",
    "__builtin_ia32_rdtsc",
    "__builtin_readcyclecounter",
    "arc4random",
    "mktemp",
];

/// Functions that write such a result through a pointer.
pub(super) const CLOCKS_BY_POINTER: &[&str] = &[
    "gettimeofday",
    "clock_gettime",
    "timespec_get",
    "ftime",
    "getrusage",
    "getrandom",
    "getentropy",
];

/// Macros that tell when a program was compiled.
pub(super) const CLOCK_MACROS: &[&str] = &["__TIME__", "__DATE__", "__TIMESTAMP__"];

/// They change or ask for what compilers take for unchanged when they compute.
pub(super) const FLOAT_ENVIRONMENT: &[&str] = &[
    "fesetround",
    "fesetenv",
    "feupdateenv",
    "feholdexcept",
    "feenableexcept",
    "fedisableexcept",
    "feraiseexcept",
    "fetestexcept",
    "fegetexceptflag",
    "_mm_setcsr",
    "_mm_getcsr",
    "__builtin_ia32_ldmxcsr",
    "__builtin_ia32_stmxcsr",
];

/// They start threads.
pub(super) const THREADS: &[&str] = &["pthread_create", "thrd_create", "clone"];

/// Functions of the C library that compilers know, beside [`COMPARISONS`] and mathematical ones.
const LIBRARY: &[&str] = &[
    "abort",
    "abs",
    "aligned_alloc",
    "alloca",
    "atof",
    "atoi",
    "atol",
    "atoll",
    "bcopy",
    "bzero",
    "calloc",
    "dcgettext",
    "dgettext",
    "execl",
    "execle",
    "execlp",
    "execv",
    "execve",
    "execvp",
    "exit",
    "_Exit",
    "_exit",
    "ffs",
    "ffsl",
    "ffsll",
    "fgetc_unlocked",
    "fiprintf",
    "fls",
    "flsl",
    "flsll",
    "fork",
    "fprintf",
    "fprintf_unlocked",
    "fputc",
    "fputc_unlocked",
    "fputs",
    "fputs_unlocked",
    "fread_unlocked",
    "free",
    "fscanf",
    "fwrite",
    "fwrite_unlocked",
    "getc_unlocked",
    "getchar_unlocked",
    "gettext",
    "htonl",
    "htons",
    "imaxabs",
    "index",
    "iprintf",
    "isalnum",
    "isalpha",
    "isascii",
    "isblank",
    "iscntrl",
    "isdigit",
    "isgraph",
    "islower",
    "isprint",
    "ispunct",
    "isspace",
    "isupper",
    "iswalnum",
    "iswalpha",
    "iswblank",
    "iswcntrl",
    "iswdigit",
    "iswgraph",
    "iswlower",
    "iswprint",
    "iswpunct",
    "iswspace",
    "iswupper",
    "iswxdigit",
    "isxdigit",
    "labs",
    "llabs",
    "malloc",
    "memalign",
    "memccpy",
    "memchr",
    "memcpy",
    "memmove",
    "mempcpy",
    "memrchr",
    "memset",
    "memset_pattern16",
    "memset_pattern4",
    "memset_pattern8",
    "ntohl",
    "ntohs",
    "perror",
    "posix_memalign",
    "printf",
    "printf_unlocked",
    "putc",
    "putc_unlocked",
    "putchar",
    "putchar_unlocked",
    "puts",
    "puts_unlocked",
    "pvalloc",
    "qsort",
    "rawmemchr",
    "realloc",
    "reallocarray",
    "reallocf",
    "rindex",
    "scanf",
    "siprintf",
    "snprintf",
    "sprintf",
    "sscanf",
    "stpcpy",
    "stpncpy",
    "strcat",
    "strchr",
    "strchrnul",
    "strcpy",
    "strcspn",
    "strdup",
    "strfmon",
    "strftime",
    "strlcat",
    "strlcpy",
    "strlen",
    "strncat",
    "strncpy",
    "strndup",
    "strnlen",
    "strpbrk",
    "strrchr",
    "strspn",
    "strstr",
    "strtod",
    "strtof",
    "strtok",
    "strtok_r",
    "strtol",
    "strtold",
    "strtoll",
    "strtoul",
    "strtoull",
    "strxfrm",
    "toascii",
    "tolower",
    "toupper",
    "towlower",
    "towupper",
    "valloc",
    "vec_calloc",
    "vec_free",
    "vec_malloc",
    "vec_realloc",
    "vfork",
    "vfprintf",
    "vfscanf",
    "vprintf",
    "vscanf",
    "vsnprintf",
    "vsprintf",
    "vsscanf",
    "wcslen",
    "wmemchr",
    "wmemcpy",
    "wmemmove",
    "wmemset",
];

/// Mathematical functions whose result is exact, or one of few.
const EXACT: &[&str] = &[
    "ceil",
    "cimag",
    "conj",
    "copysign",
    "cproj",
    "creal",
    "drem",
    "fabs",
    "fdim",
    "finite",
    "floor",
    "fma",
    "fmod",
    "frexp",
    "ilogb",
    "isinf",
    "isnan",
    "ldexp",
    "logb",
    "modf",
    "nan",
    "nearbyint",
    "nextafter",
    "nexttoward",
    "remainder",
    "remquo",
    "rint",
    "round",
    "roundeven",
    "scalb",
    "scalbln",
    "scalbn",
    "significand",
    "sqrt",
    "trunc",
];

/// The words for `restrict`.
pub(super) const RESTRICT: &[&str] = &["restrict", "__restrict", "__restrict__"];

/// Functions whose result is up to the C library.
pub(super) const RANDOM: &[&str] = &[
    "rand", "rand_r", "random", "drand48", "erand48", "lrand48", "nrand48", "mrand48", "jrand48",
];

/// Functions that return addresses.
pub(super) const FRAMES: &[&str] = &[
    "__builtin_frame_address",
    "__builtin_return_address",
    "__builtin_dwarf_cfa",
    "__builtin_extract_return_addr",
    "backtrace",
];

/// Functions that return what an optimiser has found out.
pub(super) const KNOWLEDGE: &[&str] = &[
    "__builtin_constant_p",
    "__builtin_object_size",
    "__builtin_dynamic_object_size",
];

/// Macros that flags, levels and compilers change. `__GNUC__` and the like are not here:
/// programs rarely print them, and use them to test for features.
pub(super) const MACROS: &[&str] = &[
    "__OPTIMIZE__",
    "__OPTIMIZE_SIZE__",
    "__NO_INLINE__",
    "__FAST_MATH__",
    "__FINITE_MATH_ONLY__",
    "__FLT_EVAL_METHOD__",
    "FLT_EVAL_METHOD",
    "__FMA__",
    "__FP_FAST_FMA",
    "__FP_FAST_FMAF",
    "FP_FAST_FMA",
    "FP_FAST_FMAF",
    "__SSE__",
    "__SSE2__",
    "__SSE3__",
    "__SSE4_1__",
    "__AVX__",
    "__AVX2__",
    "__AVX512F__",
    "__BMI__",
    "__BMI2__",
    "__SANITIZE_ADDRESS__",
    "__PIC__",
    "__PIE__",
    "__SSP__",
    "__VERSION__",
    "__clang__",
    "__clang_version__",
    "__TINYC__",
    "__PCC__",
    "__STDC_VERSION__",
    "__OPTIMIZE_DEBUG__",
    "__GNUC_MINOR__",
    "__GNUC_PATCHLEVEL__",
    "__CHAR_UNSIGNED__",
    "__CET__",
];

/// The attribute of a function whose text is only for inlining: what is called otherwise is a
/// function of that name elsewhere, which compilers take for the same.
pub(super) const INLINE_TWINS: &[&str] = &["gnu_inline", "__gnu_inline__"];

/// What clang replaces by the type and the name of a function, and gcc by the name alone.
pub(super) const PRETTY_NAMES: &[&str] = &["__PRETTY_FUNCTION__"];

/// Macros that ask for checking functions.
pub(super) const FORTIFICATION: &[&str] = &["_FORTIFY_SOURCE", "__USE_FORTIFY_LEVEL"];

/// Whether a function is one of [`LIBM`] or the like, of any type.
pub(crate) fn is_libm(name: &str) -> bool {
    is_mathematical(name, &[LIBM, PARTLY_OPEN])
}

/// Whether compilers know what a function of this name does, whoever defines it.
pub(super) fn is_known_to_compilers(name: &str) -> bool {
    let is_listed = LIBRARY.contains(&name) || COMPARISONS.contains(&name);
    is_listed || is_mathematical(name, &[LIBM, PARTLY_OPEN, EXACT])
}

/// Whether a function is on one of the lists, for any floating-point type.
fn is_mathematical(name: &str, lists: &[&[&str]]) -> bool {
    let is = |name: &str| lists.iter().any(|list| list.contains(&name));
    is(name) || name.strip_suffix(['f', 'l']).is_some_and(is)
}
