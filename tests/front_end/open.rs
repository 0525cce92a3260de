//! What C and compilers leave open in programs, found in their expressions and types.

use crate::support::{lower_seed, program, repository};
use mestra::source::open::{OpenValue, Openness};
use mestra::source::seed::{Seed, seeds_in};
use std::collections::BTreeMap;
use std::path::PathBuf;

#[test]
fn each_seed_is_open_in_what_its_name_says() {
    let directory = repository().join("tests/data/open");
    for (name, value) in [
        ("address", OpenValue::Address),
        ("address_in_union", OpenValue::Address),
        ("argument_types", OpenValue::Promise),
        ("assembly", OpenValue::Assembly),
        ("bits_of_nan", OpenValue::Nan),
        ("comparison_result", OpenValue::ComparisonResult),
        ("compile_time", OpenValue::Clock),
        ("complex_quotient", OpenValue::Rounding),
        ("constant_written", OpenValue::Promise),
        ("constant_p", OpenValue::CompilerKnowledge),
        ("effect_of_const", OpenValue::Promise),
        ("errno_value", OpenValue::Errno),
        ("float_environment", OpenValue::FloatEnvironment),
        ("float_pragma", OpenValue::Rounding),
        ("fortified", OpenValue::CompilerKnowledge),
        ("inline_twin", OpenValue::Promise),
        ("jump", OpenValue::Jump),
        ("libm", OpenValue::Libm),
        ("library_function", OpenValue::Redefinition),
        ("literal", OpenValue::Literal),
        ("loop_promise", OpenValue::Promise),
        ("memory_not_new", OpenValue::Promise),
        ("object_size", OpenValue::CompilerKnowledge),
        ("optimize_macro", OpenValue::Macro),
        ("other_arguments", OpenValue::Promise),
        ("own_allocation", OpenValue::Redefinition),
        ("padding", OpenValue::Padding),
        ("rest_of_union", OpenValue::Padding),
        ("rounding_mode", OpenValue::FloatEnvironment),
        ("second_name", OpenValue::Promise),
        ("section", OpenValue::Section),
        ("sequence", OpenValue::Sequence),
        ("signal_handler", OpenValue::Signal),
        ("smaller_zero", OpenValue::Libm),
        ("thread", OpenValue::Thread),
        ("undeclared", OpenValue::Undeclared),
        ("unsanitized", OpenValue::Unsanitized),
    ] {
        let seed = Seed::read(&directory.join(name).with_extension("c"), &[]).unwrap();
        let openness = Openness::of(&lower_seed(&seed).unwrap());
        let values: Vec<OpenValue> = openness.uses.iter().map(|found| found.value).collect();
        assert_eq!(values, [value], "{name}");
    }
}

/// What is open in a program given as text.
fn open_in(text: &str) -> Vec<OpenValue> {
    let openness = Openness::of(&program(text));
    openness.uses.iter().map(|found| found.value).collect()
}

#[test]
fn unions_whose_bytes_are_all_set_leave_nothing_open() {
    let parts = "union parts { int whole; short part[8]; };\n";
    for body in [
        "static union parts one = { 7 }; return one.part[5];",
        "union parts one = { .part = { 7 } }; return one.part[5];",
        "union parts one = { 7 }; return one.whole - 7;",
        "union parts one = { 7 }; for (int i = 0; i < 8; i++) one.part[i] = i; return one.part[5];",
        "union parts one = { 7 }, *p = &one; for (int i = 0; i < 8; i++) p->part[i] = i;\n\
         return one.part[5];",
    ] {
        let text = format!("{parts}int main(void) {{ {body} }}\n");
        assert_eq!(open_in(&text), [], "{text}");
    }
    let text = format!("{parts}int main(void) {{ union parts one = {{}}; return one.part[5]; }}\n");
    assert_eq!(open_in(&text), [OpenValue::Padding]);
}

#[test]
fn only_a_variable_that_is_changed_and_read_in_no_order_is_open() {
    let program = |body: &str| {
        format!(
            "int printf(const char *, ...);\nstatic int f(int a) {{ return a; }}\n\
             int main(void) {{ int i = 0, n = 0, a[4] = {{ 0 }}, *p = a; {body}; return n + a[0]; }}\n"
        )
    };
    for body in [
        "a[i] = i++",
        "a[i++] = i",
        "n = i++ + i",
        "n = f(i) + i++",
        "n = f(i++) + f(i)",
        "printf(\"%d %d\", i, ++i)",
        "*p++ = *p + 1",
        "n = (i = 3) * a[i]",
    ] {
        assert_eq!(open_in(&program(body)), [OpenValue::Sequence], "{body}");
    }
    for body in [
        "i = i + 1",
        "i += i",
        "a[i++] = n",
        "n = i++ && i",
        "n = i++ ? i : 3",
        "n = (i++, i)",
        "n = f(i++) + f(n)",
        "n = sizeof i + i++",
        "p = &i; n = *p + i",
        "n = (n = f(i)) ? n : i",
        "int b[] = { i, i++ }; n = b[0]",
        "p++; n = *p++",
    ] {
        assert_eq!(open_in(&program(body)), [], "{body}");
    }
}

#[test]
fn functions_that_are_only_inlined_have_a_twin() {
    let program = |head: &str| {
        format!(
            "{head} int twice(int a) {{ return 2 * a; }}\nint main(void) {{ return twice(0); }}\n"
        )
    };
    let twin = "extern inline __attribute__((__gnu_inline__))";
    assert_eq!(open_in(&program(twin)), [OpenValue::Promise]);
    let always = "extern inline __attribute__((__gnu_inline__, __always_inline__))";
    assert_eq!(open_in(&program(always)), []);
    assert_eq!(open_in(&program("static inline")), []);
}

#[test]
fn promises_that_are_kept_leave_nothing_open() {
    for text in [
        "__attribute__((const)) static int f(int x) { int y = x; y++; return y; }\n\
         int main(void) { return f(0) - 1; }\n",
        "static int g; __attribute__((pure)) static int f(void) { return g; }\n\
         int main(void) { g = 3; return f() - 3; }\n",
        "static const int t[2] = {1, 2};\n\
         __attribute__((const)) static int f(int x) { return t[x]; }\n\
         int main(void) { return f(0) - 1; }\n",
        "static int f(const int *p) { return *(int *)p; }\n\
         int main(void) { int k = 0; return f(&k); }\n",
        "int f(); int main(void) { return f(1, 2) - 3; }\n\
         int f(a, b) int a, b; { return a + b; }\n",
        "int f(int n, ...) { return n; } int main(void) { return f(0, 1, 2); }\n",
        "#include <setjmp.h>\nstatic jmp_buf b;\n\
         int main(void) { volatile int n = 0; int k = 3; if (setjmp(b)) return n - k;\n\
         n = 3; longjmp(b, 1); }\n",
        "int main(void) { const char *s = \"abc\", *e = s + 3; int n = 0;\n\
         for (const char *p = s; p != e; p++) n++; return s == 0 || n != 3; }\n",
        "__attribute__((malloc)) void *get(unsigned long n);\n\
         static int *p; static int take(void) { return *p; }\n\
         static int *same(int *q) { return q + 1; }\n\
         int main(void) { int k[2] = {1, 0}; p = same(k); return take(); }\n",
        "int x = 3; static int y __attribute__((alias(\"x\")));\n\
         int main(void) { y = 0; return x; }\n",
        "static int n; extern int other __asm__(\"another_name\");\n\
         int main(void) { return n; }\n",
        "int f(); int main(void) { char c = 1; return f(c, 2.0f, &c) - 1; }\n\
         int f(a, b, p) short a; float b; void *p; { return a; }\n",
        "static double round_up(double x) { return x + 0.5; }\n\
         int main(void) { return round_up(0.25) < 0; }\n",
    ] {
        assert_eq!(open_in(text), [], "{text}");
    }
}

#[test]
fn functions_that_compilers_know_are_found_by_all_of_their_names() {
    for definition in [
        "float rintf(float x) { return x + 1; }",
        "long double ceill(long double x) { return x; }",
        "int isupper(int c) { return c; }",
        "int atoi(const char *s) { return *s; }",
        "void *valloc(unsigned long n) { return 0; }",
    ] {
        let text = format!("{definition}\nint main(void) {{ return 0; }}\n");
        assert_eq!(open_in(&text), [OpenValue::Redefinition], "{definition}");
    }
}

#[test]
fn promises_that_may_be_broken_are_found_in_every_form() {
    let constant = "__attribute__((const)) static int f(";
    for rest in [
        "int *p) { return *p; }\nint main(void) { int k = 0; return f(&k); }\n",
        "int i) { static int n; return n + i; }\nint main(void) { return f(0); }\n",
        "int *p) { p[1] = 2; return 0; }\nint main(void) { int k[2]; return f(k); }\n",
    ] {
        assert_eq!(
            open_in(&format!("{constant}{rest}")),
            [OpenValue::Promise],
            "{rest}"
        );
    }
}

#[test]
fn only_wide_vectors_that_are_passed_by_value_are_open() {
    let program = |bytes: u32, function: &str| {
        format!(
            "typedef int v __attribute__((vector_size({bytes})));\n\
             struct s {{ v m; }};\nstatic struct s x;\n{function}\n"
        )
    };
    for (function, is_passed) in [
        (
            "int f(v a) { return a[0]; } int main(void) { return f(x.m); }",
            true,
        ),
        (
            "v f(void) { return x.m; } int main(void) { return f()[1]; }",
            true,
        ),
        (
            "int f(struct s a) { return a.m[0]; } int main(void) { return f(x); }",
            true,
        ),
        (
            "int f(v *a) { return (*a)[0]; } int main(void) { return f(&x.m); }",
            false,
        ),
        ("int main(void) { x.m += x.m; return x.m[0]; }", false),
    ] {
        let wide = if is_passed {
            vec![OpenValue::VectorPassing]
        } else {
            vec![]
        };
        assert_eq!(open_in(&program(32, function)), wide, "{function}");
        assert_eq!(open_in(&program(16, function)), [], "{function}");
    }
}

#[test]
fn bytes_that_belong_to_members_are_not_open() {
    let program = |fields: &str, body: &str| {
        format!(
            "int memcmp(const void *, const void *, unsigned long);\n\
             void *memset(void *, int, unsigned long);\n\
             struct s {{ {fields} }}; static struct s a, b;\n\
             static int byte(const void *p) {{ return *(const unsigned char *)p; }}\n\
             int main(void) {{ {body} }}\n"
        )
    };
    let whole = "int i; short s[2]; unsigned f : 20, g : 12;";
    let padded = "int i; short s[2]; unsigned f : 20, g : 11;";
    let readings = [
        "return memcmp(&a, &b, sizeof a) != 0;",
        "return byte(&a);",
        "unsigned char *p = (unsigned char *)&a; return p[1];",
        "unsigned char *p = (void *)&a; return p[1];",
    ];
    for body in readings {
        assert_eq!(open_in(&program(whole, body)), [], "{body}");
        assert_eq!(
            open_in(&program(padded, body)),
            [OpenValue::Padding],
            "{body}"
        );
    }
    let body = "memset(&a, 0, sizeof a); struct s *p = &a; return p->i + (&a == &b);";
    assert_eq!(open_in(&program(padded, body)), []);
}

/// What is open in a program with these headers and this body of `main`.
fn open(body: &str) -> Vec<OpenValue> {
    let text = format!(
        "#include <errno.h>\n#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n\
         #include <stdlib.h>\n#include <string.h>\n#include <time.h>\n\
         static int order(const void *a, const void *b)\n\
         {{\n    return strcmp(*(char *const *)a, *(char *const *)b);\n}}\n\
         static int same(const char *a, const char *b) {{ int r = strcmp(a, b); return !r; }}\n\
         static int raw(const char *a, const char *b) {{ return strcmp(a, b); }}\n\
         int main(int argc, char **argv)\n{{\n{body}\n    return 0;\n}}\n"
    );
    let openness = Openness::of(&program(&text));
    openness.uses.iter().map(|found| found.value).collect()
}

#[test]
fn ordinary_uses_leave_nothing_open() {
    for body in [
        "if (strcmp(argv[0], \"x\") == 0) puts(\"x\");",
        "if (!memcmp(argv[0], argv[1], 3) && 0 < strncmp(argv[0], \"a\", 1)) puts(\"x\");",
        "while (strcmp(argv[0], argv[1])) break;",
        "int less = strcmp(argv[0], argv[1]) < 0; printf(\"%d\", less);",
        "int r = strcmp(argv[0], argv[1]); if (r > 0) puts(\"x\"); else if (r < 0) puts(\"y\");",
        "qsort(argv, argc, sizeof *argv, order); printf(\"%d\", same(argv[0], argv[1]));",
        "printf(\"%.17g\", sqrt(2.0) + floor(1.5) + fabs(-1.0));",
        "if (sin(1.0) < 0.9) puts(\"x\");",
        "(void)time(0); (void)memcmp(argv, argv, 1);",
        "uintptr_t p = (uintptr_t)argv; char **q = (char **)p; puts(q[0]);",
        "printf(\"%d\", (int)((uintptr_t)&argv[1] - (uintptr_t)&argv[0]));",
        "if ((uintptr_t)argv == 0) puts(\"x\");",
        "errno = 0; long n = strtol(argv[0], 0, 10); if (errno == ERANGE) printf(\"%ld\", n);",
        "printf(\"%d\", (int)sizeof(memcmp(argv, argv, 1)));",
        "union { int i; float f; } u; u.f = 1.5f; printf(\"%d\", u.i);",
    ] {
        assert_eq!(open(body), [], "{body}");
    }
}

#[test]
fn open_values_are_followed_to_where_they_matter() {
    for (body, value) in [
        (
            "int r = strcmp(argv[0], argv[1]); int s = -r; printf(\"%d\", s);",
            OpenValue::ComparisonResult,
        ),
        (
            "printf(\"%d\", raw(argv[0], argv[1]));",
            OpenValue::ComparisonResult,
        ),
        (
            "if (strcmp(argv[0], argv[1]) == -1) puts(\"x\");",
            OpenValue::ComparisonResult,
        ),
        (
            "switch (memcmp(argv[0], argv[1], 2)) { case 1: puts(\"x\"); }",
            OpenValue::ComparisonResult,
        ),
        (
            "argc = memcmp(argv[0], argv[1], 2); exit(argc);",
            OpenValue::ComparisonResult,
        ),
        ("double x = cosf(argc); printf(\"%g\", x);", OpenValue::Libm),
        (
            "printf(\"%d\", (int)__builtin_pow(argc, 2));",
            OpenValue::Libm,
        ),
        ("printf(\"%p\", (void *)argv);", OpenValue::Address),
        (
            "if (((uintptr_t)argv & 7) == 3) puts(\"x\");",
            OpenValue::Address,
        ),
        ("srand(time(0));", OpenValue::Clock),
        ("printf(\"%d\", rand() % 6);", OpenValue::Random),
        ("free(malloc(9)); if (errno) puts(\"x\");", OpenValue::Errno),
        (
            "double d = argc / 0.0; printf(\"%d\", signbit(d - d) != 0);",
            OpenValue::Nan,
        ),
    ] {
        assert_eq!(open(body), [value], "{body}");
    }
}

#[test]
fn memory_that_is_taken_for_another_type_is_seen() {
    let punning = |text: &str| {
        let whole = format!("{text}int main(void) {{ return 0; }}\n");
        Openness::of(&program(&whole)).punning
    };
    for text in [
        "int f(float *p) { return *(int *)p; }\n",
        "int f(float x) { return *(int *)(void *)&x; }\n",
        "char bytes[8];\nint f(void) { return *(int *)bytes; }\n",
        "union { int i; float f; } u;\nint *f(void) { return &u.i; }\n",
        "long f(long long *p) { return *(long *)p; }\n",
    ] {
        assert_eq!(punning(text), Some(text.lines().count()), "{text}");
    }
    for text in [
        "char f(float *p) { return *(unsigned char *)p; }\n",
        "unsigned f(int *p) { return *(unsigned *)p; }\n",
        "struct s { int i; } s;\nint f(void) { return *(int *)&s; }\n",
        "int f(void *p) { return *(int *)p; }\n",
        "union { int i; float f; } u;\nint f(void) { u.f = 1; return u.i; }\n",
        "int a[4];\nint f(void) { return *(int *)&a; }\n",
    ] {
        assert_eq!(punning(text), None, "{text}");
    }
}

/// How many programs leave what open: those of corpora/, and of the directory that
/// `MESTRA_SEEDS` names.
#[test]
#[ignore = "a measurement"]
fn how_many_programs_are_open() {
    let corpora = repository().join("corpora");
    let other = std::env::var_os("MESTRA_SEEDS").map(PathBuf::from);
    for directory in [Some(corpora), other].into_iter().flatten() {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let (mut programs, mut open) = (0, 0);
        for path in seeds_in(&directory).unwrap() {
            let Some(lowered) = Seed::read(&path, &[])
                .ok()
                .and_then(|s| lower_seed(&s).ok())
            else {
                continue;
            };
            programs += 1;
            let openness = Openness::of(&lowered);
            open += usize::from(!openness.uses.is_empty());
            for found in &openness.uses {
                *counts.entry(format!("{:?}", found.value)).or_default() += 1;
            }
            *counts.entry("punning".into()).or_default() += usize::from(openness.punning.is_some());
        }
        println!(
            "{}: {open} of {programs} open: {counts:?}",
            directory.display()
        );
    }
}
