//! Mutations by example. A fixture of `data/mutations/<kind>/` is a change as data and
//! the statements of a small seed that it is tried at; the snapshot beside it tells
//! what becomes of the text there, or why the change does not fit. `INSTA_UPDATE=always`
//! writes the snapshots anew.

use crate::support::{program, repository, statement_at};
use mestra::code::expr::Expr;
use mestra::source::program::{Program, Span, StatementId};
use mestra::variant::mutation::{AssertFact, Change, Fact, Kind, Mutation};
use mestra::variant::replay::apply;
use serde::Deserialize;
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The number of the first mutation; names that fixtures declare carry it.
const FIRST: u32 = 3;

#[derive(Deserialize)]
struct Fixture {
    /// The seed's file, if it is not named like the fixture.
    seed: Option<String>,
    /// A change, or several that are made together; `"@"` stands for the statement, and
    /// `"@text"` for a part of its text.
    change: Value,
    at: Vec<At>,
}

/// A statement, by what its text starts with or by its number, perhaps with the first
/// place of some text in it.
#[derive(Deserialize)]
#[serde(untagged)]
enum At {
    Text(String),
    Number(u32),
    Part { of: String, text: String },
}

/// What a change is tried at.
struct Place {
    statement: StatementId,
    part: Option<Span>,
}

impl At {
    fn find(&self, program: &Program) -> Place {
        match self {
            At::Text(start) => Place {
                statement: statement_at(program, start),
                part: None,
            },
            At::Number(number) => Place {
                statement: StatementId(*number),
                part: None,
            },
            At::Part { of, text } => {
                let statement = statement_at(program, of);
                let from = program.statement(statement).span.start;
                let rest = &program.source[from as usize..];
                let mut found = rest.windows(text.len());
                let offset = found.position(|bytes| bytes == text.as_bytes());
                let start = from + offset.expect("the text is there") as u32;
                let end = start + text.len() as u32;
                let part = Some(Span { start, end });
                Place { statement, part }
            }
        }
    }

    /// As snapshots name it.
    fn shown(&self) -> String {
        match self {
            At::Text(start) => start.replace('\n', "↵"),
            At::Number(number) => format!("statement {number}"),
            At::Part { of, text } => format!("{text} of {of}").replace('\n', "↵"),
        }
    }
}

impl Fixture {
    fn mutations(&self, at: &Place) -> Vec<Mutation> {
        let changes = match &self.change {
            Value::Array(changes) => changes.clone(),
            change => vec![change.clone()],
        };
        let numbered = (FIRST..).zip(changes);
        let mutations = numbered.map(|(id, mut change)| {
            place(&mut change, at);
            let change: Change = serde_json::from_value(change).expect("it is a change");
            Mutation {
                id,
                outside: vec![],
                change,
            }
        });
        mutations.collect()
    }

    /// What becomes of the seed at each of the statements.
    fn outcomes(&self, program: &Program) -> String {
        let mut text = String::new();
        for at in &self.at {
            let mutations = self.mutations(&at.find(program));
            let refusal = mutations.iter().find_map(|m| m.check(program).err());
            let outcome = match refusal {
                Some(reason) => format!("  refused: {reason}\n"),
                None => changed_lines(program, &apply(program, &mutations).expect("they fit")),
            };
            write!(text, "{}\n{outcome}", at.shown()).expect("text can be written");
        }
        text
    }
}

/// Replaces `"@"` by the number of a statement, and `"@text"` by a part of its text.
fn place(value: &mut Value, at: &Place) {
    match value {
        Value::String(text) if text == "@" => *value = at.statement.0.into(),
        Value::String(text) if text == "@text" => {
            let part = at.part.expect("a part of the text is given");
            *value = serde_json::json!({ "start": part.start, "end": part.end });
        }
        Value::Array(items) => items.iter_mut().for_each(|item| place(item, at)),
        Value::Object(fields) => fields.values_mut().for_each(|field| place(field, at)),
        _ => {}
    }
}

/// The lines of a variant that differ from the seed's. Behind the prologue, mutations add
/// no lines and take none away, since seeds may print `__LINE__`.
fn changed_lines(program: &Program, variant: &[u8]) -> String {
    let lines = |text: &[u8]| -> Vec<String> {
        let text = String::from_utf8(text.to_vec()).expect("seeds of fixtures are UTF-8");
        text.lines().map(String::from).collect()
    };
    let (before, mut after) = (lines(&program.source), lines(variant));
    let mut text = String::new();
    if let Some(last) = after
        .iter()
        .position(|line| line == "#define mestra_prologue")
    {
        let same = before
            .iter()
            .zip(&after)
            .take_while(|(old, new)| old == new);
        let first = same.count();
        assert_eq!(after[last + 1], format!("#line {}", first + 1));
        let prologue: Vec<String> = after.drain(first..last + 2).collect();
        // The macros are always the same.
        let is_own = |line: &&String| line.contains(&format!("mestra_{FIRST}"));
        for line in prologue.iter().filter(is_own) {
            writeln!(text, "+ {line}").expect("text can be written");
        }
    }
    assert_eq!(before.len(), after.len(), "{after:#?}");
    let changed = before.iter().zip(&after).filter(|(old, new)| old != new);
    for (old, new) in changed {
        write!(text, "- {old}\n+ {new}\n").expect("text can be written");
    }
    text
}

fn files(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("a directory of fixtures");
    let paths = entries.map(|entry| entry.expect("it can be listed").path());
    let mut found: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|end| end == extension))
        .collect();
    found.sort();
    found
}

#[test]
fn every_kind_does_and_refuses_what_its_fixtures_say() {
    for kind in Kind::ALL {
        let directory = repository().join("tests/data/mutations").join(kind.name());
        let fixtures = files(&directory, "json");
        assert!(!fixtures.is_empty(), "{kind} has no fixtures");
        for path in &fixtures {
            let text = fs::read_to_string(path).unwrap();
            let fixture: Fixture =
                serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let name = path.file_stem().unwrap().to_str().unwrap();
            let seed = fixture.seed.clone().unwrap_or(format!("{name}.c"));
            let program = program(&fs::read_to_string(directory.join(seed)).unwrap());
            insta::with_settings!({
                snapshot_path => &directory,
                prepend_module_to_snapshot => false,
                omit_expression => true,
                input_file => path,
            }, {
                insta::assert_snapshot!(name, fixture.outcomes(&program));
            });
        }
    }
}

#[test]
fn a_variant_with_the_prologue_has_all_points_and_gets_no_second_one() {
    let text =
        "/* first */\nint main(void) {\n    int a = 1;\n    if (a) a = 0;\n    return a;\n}\n";
    let seed = program(text);
    let with = |program: &Program, start: &str, fact: Fact| {
        let at = statement_at(program, start);
        let change = Change::AssertFact(AssertFact { at, fact });
        let mutation = Mutation {
            id: FIRST,
            outside: vec![],
            change,
        };
        let variant = apply(program, [&mutation]).expect("it fits");
        String::from_utf8(variant).expect("the seed is UTF-8")
    };
    let first = with(&seed, "if (", Fact::Expect(true));
    let variant = program(&first);
    let points = |program: &Program| program.points().collect::<Vec<_>>();
    assert_eq!(points(&variant), points(&seed));
    let second = with(&variant, "return a", Fact::Assume(Expr::int(1)));
    assert_eq!(second.matches("#line").count(), 1, "{second}");
    assert!(second.contains("mestra_expect((a), 1)"), "{second}");
    assert!(second.contains("mestra_assume((1)); return a;"), "{second}");
    // What another tool has written before code is still not ours to change.
    let foreign = first.replace("#define mestra_prologue\n", "");
    assert_eq!(points(&program(&foreign)), []);
}
