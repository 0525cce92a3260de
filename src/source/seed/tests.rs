//! Directives, names and inputs of seeds.

use super::*;
use std::io::Write;

fn seed(text: &str) -> Result<Seed, SeedRefused> {
    let mut file = tempfile::Builder::new().suffix(".c").tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    Seed::read(file.path(), &["-DLAST".into()])
}

#[test]
fn a_seed_that_names_no_standard_is_given_one() {
    let given = |own: &[&str]| {
        let mut seed = Seed {
            path: PathBuf::from("x.c"),
            source: (*b"").into(),
            flags: own.iter().map(OsString::from).collect(),
            inputs: vec![Input::default()],
        };
        seed.set_standard(Some("-std=gnu17"));
        seed.flags
    };
    assert_eq!(given(&["-DX"]), ["-std=gnu17", "-DX"]);
    for own in ["-std=c99", "--std=c99", "-ansi"] {
        assert_eq!(given(&[own]), [own]);
    }
}

#[test]
fn directives_give_flags_and_inputs() {
    let seed = seed(
        "/* mestra-flags: -std=gnu89 '-DX=a b' */\n\
         /* mestra-run: 3 \"hello world\" < numbers.txt */\n\
         /* mestra-run: */\n/* words */\nint x; /* mestra-run: late */\n",
    )
    .unwrap();
    assert_eq!(seed.flags, ["-std=gnu89", "-DX=a b", "-DLAST"]);
    assert_eq!(seed.inputs.len(), 2);
    assert_eq!(seed.inputs[0].arguments, ["3", "hello world"]);
    assert_eq!(
        seed.inputs[0].stdin.as_ref().unwrap().file_name().unwrap(),
        "numbers.txt"
    );
    assert_eq!(seed.inputs[1], Input::default());
}

#[test]
fn directives_stand_in_any_comment_before_code() {
    let seed = seed(
        "/* A licence\n * of two lines. */\n// mestra-flags: -DA\r\n\
         /*\n * mestra-run: 1\n * mestra-run: 2\n */ /* mestra-flags: -DB */\n\
         int x;\n/* mestra-late: */\n",
    )
    .unwrap();
    assert_eq!(seed.flags, ["-DA", "-DB", "-DLAST"]);
    assert_eq!(seed.inputs.len(), 2);
}

/// A seed `x.c` with a file of directives beside it.
fn seed_beside(text: &str, directives: &str) -> Result<Seed, SeedRefused> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("x.c");
    fs::write(&path, text).unwrap();
    fs::write(directory.path().join("x.c.mestra"), directives).unwrap();
    Seed::read(&path, &[])
}

#[test]
fn a_file_beside_the_seed_gives_flags_and_inputs() {
    let words = "# words\n\nmestra-flags: -DX\nmestra-run: 1\nmestra-run: 2 < in.txt\n";
    let seed = seed_beside("int main(void) {}\n", words).unwrap();
    assert_eq!(seed.flags, ["-DX"]);
    assert_eq!(seed.inputs.len(), 2);
    assert_eq!(seed.inputs[0].arguments, ["1"]);
    let stdin = seed.path.with_file_name("in.txt");
    assert_eq!(seed.inputs[1].stdin, Some(stdin));
}

#[test]
fn directives_in_the_seed_and_beside_it_are_refused() {
    let own = "/* words */\n/* mestra-run: own */\nint main(void) {}\n";
    let both = seed_beside(own, "mestra-flags: -DX\n").unwrap_err();
    let what = "line 2 and x.c.mestra both specify flags or runs; keep only one of them";
    assert_eq!(both.reason.to_string(), what);
}

#[test]
fn a_seed_is_called_c_or_i_and_compilers_see_a_c_file() {
    let directory = tempfile::tempdir().unwrap();
    let named = |name: &str| {
        let path = directory.path().join(name);
        fs::write(&path, "int main(void){}\n").unwrap();
        Seed::read(&path, &[])
    };
    for (name, shown) in [("x.c", "x.c"), ("x.y.i", "x.y.c")] {
        assert_eq!(named(name).unwrap().program_name(), shown);
    }
    for name in ["x.cpp", "x.txt", "x", "x.C"] {
        assert_eq!(named(name).unwrap_err().reason.to_string(), NO_SEED);
    }
    let found = seeds_in(directory.path()).unwrap();
    assert_eq!(
        found,
        ["x.c", "x.y.i"].map(|name| directory.path().join(name))
    );
}

#[test]
fn without_directives_there_is_one_empty_input() {
    assert_eq!(
        seed("int main(void){}\n").unwrap().inputs,
        [Input::default()]
    );
}

#[test]
fn bad_directives_are_refused_with_their_line() {
    let unbalanced = seed("\n/* mestra-run: \"a */\n").unwrap_err();
    assert_eq!(
        unbalanced.reason.to_string(),
        "line 2: mestra-run: unbalanced quotes"
    );
    let no_file = seed("/* mestra-run: a < */\n").unwrap_err();
    assert_eq!(
        no_file.reason.to_string(),
        "line 1: mestra-run: no file after <"
    );
    let known = "is not a directive; the directives are mestra-flags: and mestra-run:";
    let late = seed("/* words */\nint x;\n  // mestra-run: a\n").unwrap_err();
    let what = "line 3: a directive after code has no effect; move it up";
    assert_eq!(late.reason.to_string(), what);
    let typo = seed("/* words\n*/\n/* mestra-rum: a */\n").unwrap_err();
    assert_eq!(
        typo.reason.to_string(),
        format!("line 3: mestra-rum: {known}")
    );
    let beside = seed_beside("int main(void) {}\n", "# words\nflags: -DX\n").unwrap_err();
    let what = format!("line 2 of x.c.mestra: flags: {known}");
    assert_eq!(beside.reason.to_string(), what);
}

#[test]
fn the_command_line_replaces_the_inputs() {
    let mut seed = seed("/* mestra-run: own */\nint main(void){}\n").unwrap();
    seed.set_inputs(&[], &[]).unwrap();
    assert_eq!(seed.inputs[0].arguments, ["own"]);
    seed.set_inputs(&["1 'a b'".into(), "2".into()], &["f".into(), "g".into()])
        .unwrap();
    let runs: Vec<_> = seed
        .inputs
        .iter()
        .map(|input| (input.arguments.len(), input.stdin.clone().unwrap()))
        .collect();
    assert_eq!(
        runs,
        [
            (2, "f".into()),
            (2, "g".into()),
            (1, "f".into()),
            (1, "g".into())
        ]
    );
    assert!(seed.set_inputs(&["'".into()], &[]).is_err());
}

#[test]
fn csmith_programs_find_their_header() {
    assert!(includes_csmith(b"/* x */\n#include \"csmith.h\"\r\n"));
    assert!(!includes_csmith(b"// #include \"csmith.h\"\n"));
}
