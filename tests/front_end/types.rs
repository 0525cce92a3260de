//! Types: sizes and signs of the target, records, typedefs, and flags that change them.

use crate::support::{program, try_program, variable};
use mestra::code::types::{IntKind, Target};
use mestra::source::program::{Access, Program, SeedType};

fn described(program: &Program, name: &str) -> String {
    program
        .types
        .describe(program.variable(variable(program, name)).ty)
}

#[test]
fn integer_types_keep_their_kind_size_and_sign() {
    let program = program(
        "_Bool b; char c; signed char sc; unsigned char uc; short s; unsigned short us; int i;\n\
         unsigned u; long l; unsigned long ul; long long ll; unsigned long long ull;\n\
         int main(void) { return 0; }",
    );
    let expected = [
        ("b", IntKind::Bool, 1),
        ("c", IntKind::Char, 1),
        ("sc", IntKind::SChar, 1),
        ("uc", IntKind::UChar, 1),
        ("s", IntKind::Short, 2),
        ("us", IntKind::UShort, 2),
        ("i", IntKind::Int, 4),
        ("u", IntKind::UInt, 4),
        ("l", IntKind::Long, 8),
        ("ul", IntKind::ULong, 8),
        ("ll", IntKind::LongLong, 8),
        ("ull", IntKind::ULongLong, 8),
    ];
    for (name, kind, size) in expected {
        let info = program
            .types
            .info(program.variable(variable(&program, name)).ty.id);
        assert_eq!(info.ty, SeedType::Int(kind), "{name}");
        assert_eq!(
            (info.size, info.alignment),
            (Some(size), Some(size)),
            "{name}"
        );
    }
}

#[test]
fn flags_choose_the_target() {
    let source = "char c; long l; int *p; int main(void) { return 0; }";
    let target = |flags: &[&str]| try_program(source, flags).unwrap().target;
    assert_eq!(target(&[]), Target::LP64);
    assert_eq!(target(&["-m32"]), Target::ILP32);
    assert_eq!(
        target(&["-funsigned-char"]),
        Target {
            char_signed: false,
            ..Target::LP64
        }
    );
    let arm = target(&["--target=aarch64-linux-gnu"]);
    assert_eq!(
        arm,
        Target {
            char_signed: false,
            ..Target::LP64
        }
    );
    let program = try_program(source, &["-m32"]).unwrap();
    let size = |name: &str| {
        program
            .types
            .info(program.variable(variable(&program, name)).ty.id)
            .size
    };
    assert_eq!((size("l"), size("p")), (Some(4), Some(4)));
}

#[test]
fn standards_defines_and_includes_are_honoured() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("k.h"), "#define K 3\n").unwrap();
    let include = format!("-I{}", directory.path().display());
    let source = "#include \"k.h\"\n#if K != 3 || X != 4\n#error wrong\n#endif\n\
                  main() { return 0; }";
    assert!(try_program(source, &["-std=gnu89", &include, "-DX=4"]).is_ok());
    assert!(try_program(source, &["-std=gnu89", &include]).is_err());
    let needs_c99 = "int main(void) { int inline = 1; return inline; }";
    assert!(try_program(needs_c99, &["-std=c89"]).is_ok());
    assert!(try_program(needs_c99, &["-std=c99"]).is_err());
}

#[test]
fn typedefs_are_resolved_and_qualifiers_kept() {
    let program = program(
        "typedef const int CI; typedef CI *P; CI a = 1; volatile P b; P restrict c;\n\
         int main(void) { return 0; }",
    );
    assert_eq!(described(&program, "a"), "const int");
    assert_eq!(described(&program, "b"), "volatile pointer to const int");
    assert_eq!(described(&program, "c"), "restrict pointer to const int");
}

#[test]
fn enums_have_their_underlying_type() {
    let program = program(
        "enum Small { A, B } e; enum { M = -1 } n; enum Big { X = 1LL << 40 } big;\n\
         int main(void) { return 0; }",
    );
    let kind = |name: &str| {
        program
            .types
            .integer(program.variable(variable(&program, name)).ty.id)
    };
    assert_eq!(kind("e"), Some(IntKind::UInt));
    assert_eq!(kind("n"), Some(IntKind::Int));
    assert!(matches!(kind("big"), Some(IntKind::Long | IntKind::ULong)));
    assert_eq!(described(&program, "e"), "enum Small");
    assert_eq!(described(&program, "n"), "unnamed enum");
}

#[test]
fn records_know_fields_bit_fields_and_names() {
    let program = program(
        "struct Node { struct Node *next; int a : 3; unsigned : 0; _Bool b : 1; } node;\n\
         typedef struct { int x; } Untagged; Untagged u; union { int i; char c; } un;\n\
         struct Outer { struct { int anon; }; int tail[]; } outer;\n\
         int main(void) { return 0; }",
    );
    assert_eq!(described(&program, "node"), "struct Node");
    assert_eq!(described(&program, "u"), "Untagged");
    assert_eq!(described(&program, "un"), "unnamed union");
    let SeedType::Record(node) = *program
        .types
        .get(program.variable(variable(&program, "node")).ty.id)
    else {
        panic!("a struct is a record")
    };
    let fields = program.types.record(node).fields.as_ref().unwrap();
    let seen: Vec<_> = fields
        .iter()
        .map(|f| (f.name.as_deref(), f.bit_width, f.offset))
        .collect();
    assert_eq!(
        seen,
        [
            (Some("next"), None, Some(0)),
            (Some("a"), Some(3), Some(64)),
            (None, Some(0), Some(96)),
            (Some("b"), Some(1), Some(96)),
        ]
    );
    let SeedType::Record(outer) = *program
        .types
        .get(program.variable(variable(&program, "outer")).ty.id)
    else {
        panic!("a struct is a record")
    };
    let names: Vec<_> = program
        .types
        .record(outer)
        .fields
        .as_ref()
        .unwrap()
        .iter()
        .map(|f| f.name.clone())
        .collect();
    assert_eq!(names, [None, Some("tail".to_owned())]);
}

#[test]
fn arrays_pointers_functions_and_the_rest_are_told_apart() {
    let program = program(
        "int grid[2][3]; float f; double d; long double ld; _Complex double z;\n\
         int (*fp)(int, char *, ...); int (*old)(); _Atomic int at; __int128 wide;\n\
         typedef int v4 __attribute__((vector_size(16))); v4 vec;\n\
         int main(int n, char **a) { int vla[n]; return vla[0]; }",
    );
    for (name, text) in [
        ("grid", "array of 2 array of 3 int"),
        ("f", "float"),
        ("d", "double"),
        ("ld", "long double"),
        ("z", "_Complex"),
        ("fp", "pointer to function returning int"),
        ("old", "pointer to function returning int"),
        ("at", "_Atomic int"),
        ("wide", "__int128"),
        ("vec", "vector of 4 int"),
        ("vla", "variable-length array of int"),
        ("a", "pointer to pointer to char"),
    ] {
        assert_eq!(described(&program, name), text, "{name}");
    }
    let (types, id) = (&program.types, |name| {
        program.variable(variable(&program, name)).ty.id
    });
    for (name, is_variable, may_be) in [
        ("vla", true, true),
        // Who knows what is among its parameters.
        ("fp", false, true),
        ("grid", false, false),
        ("a", false, false),
    ] {
        assert_eq!(types.is_variably_modified(id(name)), is_variable, "{name}");
        assert_eq!(types.may_be_variably_modified(id(name)), may_be, "{name}");
    }
}

#[test]
fn array_and_function_parameters_are_pointers() {
    let program = program(
        "typedef int M[2][3]; void f(int n, int a[4], M m, int v[n], int g(int)) { a[0] = m[0][0]; }\n\
         int main(int argc, char *argv[]) { return 0; }",
    );
    for (name, text) in [
        ("a", "pointer to int"),
        ("m", "pointer to array of 3 int"),
        ("v", "pointer to int"),
        ("g", "pointer to function returning int"),
        ("argv", "pointer to pointer to char"),
    ] {
        assert_eq!(described(&program, name), text, "{name}");
    }
    // Through a pointer, the array is written, not the parameter.
    let access: Vec<_> = program
        .uses
        .iter()
        .filter(|used| ["a", "m"].contains(&program.variable(used.variable).name.as_str()))
        .map(|used| (used.access, used.is_partial))
        .collect();
    assert_eq!(access, [(Access::Read, false), (Access::Read, false)]);
}

#[test]
fn a_later_declaration_completes_an_array() {
    let program = program("extern int a[]; int a[3] = {1}; int main(void) { return a[0]; }");
    assert_eq!(described(&program, "a"), "array of 3 int");
}
