//! Which variables can be named at a place, and which of those may be read or written.

use crate::support::{program, statement_at, variable};
use mestra::source::program::{Leaf, Program, Unreadable, Unwritable};

fn visible(program: &Program, at: &str) -> Vec<String> {
    let mut names: Vec<String> = program
        .visible_at(statement_at(program, at))
        .into_iter()
        .map(|variable| program.variable(variable).name.clone())
        .collect();
    names.sort();
    names
}

#[test]
fn names_are_visible_from_their_declaration_to_the_end_of_their_block() {
    let program = program(
        "int early; int main(void) { int a = 1; { int b = 2; here(); } there(); int d; }\n\
         int late;",
    );
    assert_eq!(visible(&program, "here()"), ["a", "b", "early"]);
    assert_eq!(visible(&program, "there()"), ["a", "early"]);
}

#[test]
fn an_inner_variable_shadows_an_outer_one() {
    let program =
        program("int x; int main(void) { long x = 1; { short x = 2; here(); } there(); }");
    let types = |at: &str| -> Vec<String> {
        program
            .visible_at(statement_at(&program, at))
            .into_iter()
            .map(|variable| program.types.describe(program.variable(variable).ty))
            .collect()
    };
    assert_eq!(types("here()"), ["short"]);
    assert_eq!(types("there()"), ["long"]);
}

#[test]
fn typedefs_enum_constants_and_functions_shadow_variables() {
    let source = "int x, y;\n\
        int main(void) { int z = 1; { typedef int x; t(); } { enum { y }; e(); } \
        { int z(void); f(); } }";
    let program = program(source);
    assert_eq!(visible(&program, "t()"), ["y", "z"]);
    assert_eq!(visible(&program, "e()"), ["x", "z"]);
    assert_eq!(visible(&program, "f()"), ["x", "y"]);
}

#[test]
fn a_macro_hides_a_variable_of_its_name() {
    let program = program("int x, y;\n#define y 5\nint main(void) { here(); }");
    assert_eq!(visible(&program, "here()"), ["x"]);
}

#[test]
fn the_variable_of_a_for_lives_in_the_loop() {
    let program = program("int main(void) { for (int i = 0; i < 3; i++) { here(); } there(); }");
    assert_eq!(visible(&program, "here()"), ["i"]);
    assert_eq!(visible(&program, "there()"), [] as [&str; 0]);
}

#[test]
fn an_extern_declaration_in_a_block_names_the_global() {
    let program =
        program("int main(void) { int x = 1; { extern int x; here(); } there(); } int x = 4;");
    let [at_here, at_there] = ["here()", "there()"].map(|at| {
        let ids = program.visible_at(statement_at(&program, at));
        assert_eq!(ids.len(), 1);
        program.variable(ids[0]).function.is_none()
    });
    assert!(at_here, "the global is named");
    assert!(!at_there, "the local is named");
}

#[test]
fn reasons_for_not_reading_are_told() {
    let source = "union U { int i; short s; _Bool f; }; extern int outside;\n\
        extern int errno_like; volatile int v; _Atomic int at; int *p; long double d; union U u;\n\
        struct { volatile int w; } sv; __int128 wide; int reg __asm__(\"other\");\n\
        struct { union U u; int k; } mixed; int vla_size;\n\
        int main(void) { int n; here(); }";
    let program = program(source);
    let at = statement_at(&program, "here()");
    let reason = |name: &str| program.readable(variable(&program, name), at);
    assert_eq!(reason("outside"), Err(Unreadable::DefinedElsewhere));
    assert_eq!(reason("v"), Err(Unreadable::Volatile));
    assert_eq!(reason("at"), Err(Unreadable::Atomic));
    assert_eq!(reason("p"), Err(Unreadable::Pointer));
    assert_eq!(reason("d"), Err(Unreadable::FloatingPoint));
    assert_eq!(reason("u"), Err(Unreadable::Union));
    assert_eq!(reason("sv"), Err(Unreadable::Type));
    assert_eq!(reason("wide"), Err(Unreadable::Type));
    assert_eq!(reason("reg"), Err(Unreadable::AsmName));
    assert_eq!(reason("n"), Err(Unreadable::NotInitialised));
    assert_eq!(reason("mixed"), Ok(()));
    let leaves = program.leaves(variable(&program, "mixed"), 10);
    let texts: Vec<String> = leaves
        .iter()
        .map(|leaf| program.place_text(&leaf.place))
        .collect();
    assert_eq!(texts, ["mixed.k"], "nothing inside the union");
}

#[test]
fn of_a_union_the_member_is_read_whose_bytes_every_member_has() {
    let source = "union { double d; int i; char c[8]; } all_have; union { int i; char c[4]; } equal;\n\
        union { float f; unsigned u; } number; union { struct { int i; short s; } s; int i; } padded;\n\
        union { int i; int *p; } address; union { int i : 3; int j; } field;\n\
        struct { int tag; union { long l; struct { int a, b; } pair; }; } tagged;\n\
        union { _Bool b; char c; } bytes; union { char c[2]; short s[2]; } arrays;\n\
        int main(void) { here(); }";
    let program = program(source);
    let leaves = |name: &str| {
        let found = program.leaves(variable(&program, name), 10).into_iter();
        let text = |leaf: Leaf| {
            let text = program.place_text(&leaf.place);
            if leaf.is_const {
                format!("const {text}")
            } else {
                text
            }
        };
        found.map(text).collect::<Vec<String>>()
    };
    assert_eq!(
        leaves("all_have"),
        ["const all_have.i"],
        "others have more bytes"
    );
    assert_eq!(leaves("equal"), ["equal.i"]);
    assert_eq!(
        leaves("number"),
        ["number.f"],
        "the sign of a NaN is not looked at"
    );
    assert_eq!(leaves("tagged"), ["tagged.tag", "tagged.l"]);
    assert_eq!(leaves("bytes"), ["bytes.c"], "any byte is a char");
    for name in ["padded", "address", "field", "arrays"] {
        assert!(leaves(name).is_empty(), "{name}: {:?}", leaves(name));
    }
}

#[test]
fn const_is_read_but_not_written() {
    let source = "const int k = 1; const int table[2] = {1, 2};\n\
        struct { const int a; } c = {1}; struct { const int a; int b; } half = {1, 2}; int w;\n\
        int main(void) { here(); }";
    let program = program(source);
    let at = statement_at(&program, "here()");
    for name in ["k", "table", "c"] {
        assert_eq!(
            program.readable(variable(&program, name), at),
            Ok(()),
            "{name}"
        );
        let written = program.writable(variable(&program, name), at);
        assert_eq!(written, Err(Unwritable::Const), "{name}");
    }
    for name in ["w", "half"] {
        assert_eq!(
            program.writable(variable(&program, name), at),
            Ok(()),
            "{name}"
        );
    }
}

#[test]
fn leaves_name_fields_elements_and_bit_fields() {
    let source = "struct In { unsigned b : 3; int : 4; signed c : 5; };\n\
        struct { struct In in[2]; struct { short anon; }; char *p; } s;\n\
        int grid[2][2];\n\
        int main(void) { here(); }";
    let program = program(source);
    let texts = |name: &str, limit: usize| -> Vec<String> {
        let leaves = program.leaves(variable(&program, name), limit);
        leaves
            .iter()
            .map(|leaf| program.place_text(&leaf.place))
            .collect()
    };
    assert_eq!(
        texts("s", 100),
        [
            "s.in[0].b",
            "s.in[0].c",
            "s.in[1].b",
            "s.in[1].c",
            "s.anon",
            "s.p"
        ]
    );
    assert_eq!(
        texts("grid", 100),
        ["grid[0][0]", "grid[0][1]", "grid[1][0]", "grid[1][1]"]
    );
    assert_eq!(texts("grid", 3).len(), 3);
}

#[test]
fn names_of_a_header_are_known_from_its_include_on() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(
        directory.path().join("h.h"),
        "static int from_header = 3;\n",
    )
    .unwrap();
    let source = "void here(void); void there(void);\nint f(void) { here(); return 0; }\n\
                  #include \"h.h\"\nint main(void) { there(); return f(); }\n";
    let path = directory.path().join("seed.c");
    std::fs::write(&path, source).unwrap();
    let seed = mestra::source::seed::Seed::read(&path, &[]).unwrap();
    let program = crate::support::lower_seed(&seed).unwrap();
    assert_eq!(visible(&program, "here()"), [] as [&str; 0]);
    assert_eq!(visible(&program, "there()"), ["from_header"]);
}

#[test]
fn a_name_means_the_same_alone_and_among_all() {
    let source = "#define hidden 1\n\
        typedef int word; extern int x; int x, y; struct tag { int y; } tagged; enum { one };\n\
        int f(int y); int f(int y) { long x = y; { short x = 2, x2 = one; here(); } return x; }\n\
        int main(void) { enum tag2 { late }; for (int y = 0; y < 2; y++) { int f = late; } }\n\
        int after;";
    let program = program(source);
    let texts: Vec<&str> = program
        .scopes
        .iter()
        .flat_map(|scope| &scope.names)
        .map(|name| name.text.as_str())
        .chain(["nowhere"])
        .collect();
    for statement in program.statement_ids() {
        let all = program.names_at(statement);
        for text in &texts {
            let among = all.iter().find(|name| name.text == *text);
            let alone = program.name_at(statement, text);
            let meaning = |name: &mestra::source::program::DeclaredName| (name.meaning, name.from);
            assert_eq!(
                alone.map(meaning),
                among.map(|name| meaning(name)),
                "{text} before {statement}"
            );
        }
    }
}
