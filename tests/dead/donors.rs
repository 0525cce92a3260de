//! Donors: what is taken from a program, what fits a place, and the insertion.

use crate::support::{clang, corpora, program, statement_at, try_program};
use mestra::source::program::Program;
use mestra::variant::donor::{Catalogue, Donor, Donors, Hole, Likeness, extract};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

fn donors_of(text: &str) -> Vec<Donor> {
    extract(&program(text))
}

/// The outlines of donors that fit any program.
fn portable(text: &str) -> BTreeSet<String> {
    let donors = donors_of(text);
    let portable = donors.iter().filter(|donor| donor.home.is_none());
    portable.map(Donor::outline).collect()
}

/// All ways found in many throws to fill the holes of a donor before a statement.
fn grafts(donor: &Donor, program: &Program, at: &str) -> BTreeSet<String> {
    let catalogue = Catalogue::new(program);
    let offer = catalogue.offer(statement_at(program, at));
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let throws = (0..200).filter_map(|_| catalogue.graft(donor, &offer, 7, &mut rng));
    throws.map(|graft| graft.text()).collect()
}

fn only_donor(text: &str, outline: &str) -> Donor {
    let donors = donors_of(text);
    let found: Vec<&Donor> = donors.iter().filter(|d| d.outline() == outline).collect();
    let all: Vec<String> = donors.iter().map(Donor::outline).collect();
    assert_eq!(found.len(), 1, "{outline} in {all:?}");
    found[0].clone()
}

#[test]
fn names_become_holes_and_standard_types_are_spelled_out() {
    let text = "#include <stdint.h>
int a, *p; static int f(int x) { return x; }
int main(void) {
    a = f((uint8_t)a) + *p;
    for (int16_t i = 0; i < 3; i++) { int64_t k = i; a -= k; }
    <% int64_t k = a; *p -= k; %>
    return 0;
}
";
    let found = portable(text);
    assert!(
        found.contains("$0 = $1((unsigned char)$0) + *$2;"),
        "{found:?}"
    );
    let block = "{ long $0 = $1; *$2 -= $0; }";
    assert!(found.contains(block), "{found:?}");
    let old = only_donor(
        text,
        "for (short $0 = 0; $0 < 3; $0++) { long $1 = $0; $2 -= $1; }",
    );
    assert!(old.home.is_some(), "C89 has no declaration in a for");
}

#[test]
fn equal_up_to_renaming_is_equal() {
    let text =
        "int a, b, c; int main(void) { a += b; { b += c; } c += a; a = a; b = c; return 0; }\n";
    let donors = donors_of(text);
    let outlines: Vec<String> = donors.iter().map(Donor::outline).collect();
    let distinct: BTreeSet<&String> = outlines.iter().collect();
    assert_eq!(outlines.len(), distinct.len());
    assert!(outlines.contains(&"$0 += $1;".into()));
    assert!(outlines.contains(&"$0 = $0;".into()) && outlines.contains(&"$0 = $1;".into()));
}

#[test]
fn macros_attributes_and_unknown_words_make_no_donors() {
    let text = "#define M 3
#define SET(x) x = 1
#include <stdio.h>
int a; typedef int mine;
int main(void) {
    a = M;
    SET(a);
    a = ({ a + 1; });
    puts(__func__);
    printf(\"%d\", a);
    { static int kept; }
    { __attribute__((unused)) int x; }
    a = \"\\x80é\"[0];
    a = (mine)a;
    a = a ??!??! a;
    a -\\
= 2;
    switch (a) { { case 1: a = M; } }
    switch (a) case 2: { case 3: a = M; }
    return 0;
}
";
    let program = try_program(text, &["-trigraphs"]).unwrap();
    let donors = extract(&program);
    let portable = donors.iter().filter(|donor| donor.home.is_none());
    let outlines: Vec<String> = portable.map(Donor::outline).collect();
    assert_eq!(outlines, ["return 0;"]);
}

#[test]
fn members_tags_and_constants_keep_a_donor_at_home() {
    let text = "struct s { int f; } v, *p; enum e { ONE } x; union u { int i; char c; } w;
static void first(void) { v.f = 1; }
static void second(void) { p->f = w.i; x = ONE; v.f = sizeof(struct s); }
int main(void) { first(); second(); return 0; }
";
    let program = program(text);
    let donors = extract(&program);
    let homes: BTreeSet<String> = donors
        .iter()
        .filter(|donor| donor.home.is_some())
        .map(Donor::outline)
        .collect();
    for outline in [
        "$0.f = 1;",
        "$0->f = $1.i;",
        "$0 = ONE;",
        "$0.f = sizeof(struct s);",
    ] {
        assert!(homes.contains(outline), "{homes:?}");
    }
    let member = donors
        .iter()
        .find(|d| d.outline() == "$0->f = $1.i;")
        .unwrap();
    // Not before its own place, where its types may not be complete.
    assert!(grafts(member, &program, "v.f = 1;").is_empty());
    let expected = BTreeSet::from(["{ p->f = w.i; }".to_owned()]);
    assert_eq!(grafts(member, &program, "first();"), expected);
    let other = crate::support::program(&format!("{text}\n"));
    assert!(grafts(member, &other, "first();").is_empty());
}

#[test]
fn holes_need_as_much_of_a_type_as_the_statement_uses() {
    let text = "int a, b[3], *p; _Bool t; long l;
int main(void) { a = b[1]; p = &a; t = p; switch (l) { case 1: break; } return 0; }
";
    let need = |outline: &str, hole: usize| match &only_donor(text, outline).holes[hole] {
        Hole::Variable(need) => (need.likeness, need.is_written),
        other => panic!("{other:?}"),
    };
    assert_eq!(need("$0 = $1[1];", 0), (Likeness::AnyInteger, true));
    assert_eq!(need("$0 = $1[1];", 1), (Likeness::AnyLength, false));
    // `p = &a` and `t = p` look alike but are not.
    let all = donors_of(text);
    let addresses: Vec<&Donor> = all.iter().filter(|d| d.outline() == "$0 = &$1;").collect();
    let Hole::Variable(address) = &addresses[0].holes[1] else {
        panic!("{addresses:?}");
    };
    let identical = Likeness::Identical {
        is_const: false,
        is_volatile: false,
    };
    assert_eq!(address.likeness, identical);
    assert_eq!(need("$0 = $1;", 0), (Likeness::SameType, true));
    assert_eq!(
        need("switch ($0) { case 1: break; }", 0),
        (Likeness::SameType, false)
    );
}

/// A place with one thing of each sort.
const PLACE: &str = "\
int i; const int c = 1; _Bool t; int *p; const int *pc; char s[4]; const char cs[2]; int j[2];
static int twice(int x) { return 2 * x; }
static void run(void) { int unused; register int r = 0; while (i) { here: i = r; } return; }
int main(void) { run(); return twice(i); }
";

#[test]
fn only_what_fits_is_bound() {
    let place = program(PLACE);
    let bound = |text: &str, outline: &str| {
        let donor = only_donor(text, outline);
        let texts = grafts(&donor, &place, "i = r;");
        let strip = |text: &String| text[2..text.len() - 2].to_owned();
        texts.iter().map(strip).collect::<BTreeSet<String>>()
    };
    let set = |texts: &[&str]| {
        texts
            .iter()
            .map(|t| (*t).to_owned())
            .collect::<BTreeSet<_>>()
    };
    // Nothing const is written; a variable that nothing uses may be deleted.
    let zero = bound("int a; int main(void) { a = 0; return 0; }\n", "$0 = 0;");
    assert_eq!(zero, set(&["i = 0;", "r = 0;", "t = 0;"]));
    let address = "int *p, a; int main(void) { p = &a; return 0; }\n";
    assert_eq!(bound(address, "$0 = &$1;"), set(&["p = &i;"]));
    // What is not evaluated must be valid, too.
    let size = "int a, b; int main(void) { b = sizeof(a++); return 0; }\n";
    let sizes = ["i = sizeof(i++);", "r = sizeof(i++);", "t = sizeof(i++);"];
    assert_eq!(bound(size, "$0 = sizeof($1++);"), set(&sizes));
    let element = "char a[9]; int main(void) { a[0] = 1; return 0; }\n";
    assert_eq!(bound(element, "$0[0] = 1;"), set(&["s[0] = 1;"]));
    let whole = "char a[3]; int f(char *); int main(void) { return 0; }\n";
    assert!(donors_of(whole).len() == 1);
    let call = "static int f(int x) { return x; } int main(void) { f(1); return 0; }\n";
    assert_eq!(bound(call, "$0(1);"), set(&["twice(1);"]));
    // No value is returned here, and a pointer is no integer.
    assert!(bound("int main(void) { return 0; }\n", "return 0;").is_empty());
    let float = "float a; int main(void) { a = 1; return 0; }\n";
    assert!(bound(float, "$0 = 1;").is_empty());
}

#[test]
fn jumps_need_something_to_leave_and_labels_of_the_function() {
    let place = program(PLACE);
    let text = "int a; int main(void) {
    while (a) { if (a) break; if (!a) continue; }
    if (a) { again: goto again; }
    if (a) goto out;
out: return 0;
}
";
    for outline in ["if ($0) break;", "if (!$0) continue;", "if ($0) goto $1;"] {
        let donor = only_donor(text, outline);
        assert!(!grafts(&donor, &place, "i = r;").is_empty(), "{outline}");
        let is_jump = outline != "if ($0) goto $1;";
        let outside = grafts(&donor, &place, "while (i)");
        assert_eq!(outside.is_empty(), is_jump, "{outline}");
        // No label is in main.
        assert!(grafts(&donor, &place, "run();").is_empty(), "{outline}");
    }
    let own = only_donor(text, "if ($0) { $1: goto $1; }");
    let expected = "{ if (i) { mestra_7_l1: goto mestra_7_l1; } }";
    assert!(grafts(&own, &place, "run();").contains(expected));
}

#[test]
fn a_word_that_is_a_macro_there_is_not_written() {
    let donor = only_donor(
        "unsigned a; int main(void) { a -= sizeof 1; return 0; }\n",
        "$0 -= sizeof 1;",
    );
    let plain = "unsigned i; int main(void) { i = 1; return 0; }\n";
    assert!(!grafts(&donor, &program(plain), "i = 1;").is_empty());
    for line in ["#define sizeof -", "#define i (i)"] {
        let text = format!("{plain}{line}\n");
        assert!(
            grafts(&donor, &program(&text), "i = 1;").is_empty(),
            "{line}"
        );
    }
}

#[test]
fn a_parameter_of_const_array_type_is_not_written_through() {
    let place = program(
        "static int f(int n, const int v[static n], int w[2]) { return v[0] + w[0]; }
int main(void) { int a[2] = { 0 }; return f(1, a, a); }
",
    );
    let donor = only_donor("int *p; int main(void) { *p = 1; return 0; }\n", "*$0 = 1;");
    let expected = BTreeSet::from(["{ *w = 1; }".to_owned()]);
    assert_eq!(grafts(&donor, &place, "return v[0]"), expected);
}

#[test]
fn a_database_is_the_same_after_saving_and_for_any_number_of_threads() {
    let paths: Vec<_> = corpora().into_iter().take(12).collect();
    let built = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build()
            .unwrap()
            .install(|| Donors::build(&clang(), &paths))
    });
    let (donors, refused) = &built[0];
    assert_eq!((donors, refused), (&built[1].0, &built[1].1));
    assert!(donors.donors.len() > 100, "{}", donors.donors.len());
    assert!(donors.donors.iter().all(|donor| donor.home.is_none()));
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("donors.json");
    donors.save(&file).unwrap();
    assert_eq!(&Donors::load(&file).unwrap(), donors);
    std::fs::write(&file, "{}").unwrap();
    assert!(Donors::load(&file).is_err());
}

#[test]
fn a_program_that_newer_compilers_refuse_gives_no_donors() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("old.c");
    std::fs::write(&path, "int *p; int main(void) { p = 5; return 0; }\n").unwrap();
    let (donors, refused) = Donors::build(&clang(), &[path]);
    assert!(donors.donors.is_empty());
    assert!(
        refused[0].reason.to_string().contains("does not compile"),
        "{refused:?}"
    );
}
