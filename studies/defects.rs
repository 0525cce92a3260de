//! Defects that a compiler could have, planted in the assembly that it writes: wherever some
//! instructions stand together, others are put in their place.

use mestra::lab::process::{Command, Ending, Limits};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// What a program does.
pub type Shown = (Ending, Vec<u8>);

/// A line of `defects.txt`.
#[derive(Clone, Debug)]
pub struct Defect {
    /// The instructions, as written in the table.
    pub name: &'static str,
    right: Vec<&'static str>,
    wrong: Vec<&'static str>,
}

/// What the names in a pattern stand for.
type Names<'t> = BTreeMap<&'t str, String>;

/// All of the table.
pub fn all() -> Vec<Defect> {
    let lines = include_str!("defects.txt").lines().map(str::trim);
    let defects = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    defects
        .map(|line| {
            let (right, wrong) = line.split_once(" => ").expect("a line has two sides");
            Defect {
                name: line,
                right: right.split(" ; ").collect(),
                wrong: wrong.split(" ; ").collect(),
            }
        })
        .collect()
}

/// Assembly as instructions, with what stands between them.
pub struct Assembly<'t> {
    lines: Vec<&'t str>,
    /// The numbers of lines that are instructions, and these in one form.
    instructions: Vec<(usize, String)>,
    /// Whether nothing but an instruction stands before an instruction.
    follows: Vec<bool>,
}

impl<'t> Assembly<'t> {
    pub fn read(text: &'t str) -> Assembly<'t> {
        let lines: Vec<&str> = text.lines().collect();
        let (mut instructions, mut follows) = (Vec::new(), Vec::new());
        let mut is_behind_one = false;
        for (number, line) in lines.iter().enumerate() {
            let code = line.split('#').next().unwrap_or_default();
            let words: Vec<&str> = code.split_whitespace().collect();
            match words.first() {
                None => {}
                Some(first) if first.ends_with(':') => is_behind_one = false,
                Some(first) if first.starts_with('.') => {}
                Some(_) => {
                    instructions.push((number, words.join(" ")));
                    follows.push(is_behind_one);
                    is_behind_one = true;
                }
            }
        }
        Assembly {
            lines,
            instructions,
            follows,
        }
    }

    /// The text as a compiler with a defect writes it; `None` if the defect does not show.
    pub fn with(&self, defect: &Defect) -> Option<String> {
        let count = defect.right.len();
        let mut lines: Vec<String> = Vec::new();
        let mut next = 0;
        let mut at = 0;
        while at + count <= self.instructions.len() {
            let Some(names) = self.names_at(at, defect) else {
                at += 1;
                continue;
            };
            let (first, last) = (self.instructions[at].0, self.instructions[at + count - 1].0);
            let before = self.lines[next..first].iter();
            lines.extend(before.map(|&line| line.to_owned()));
            let wrong = defect.wrong.iter();
            lines.extend(wrong.map(|wrong| format!("\t{}", filled(wrong, &names))));
            next = last + 1;
            at += count;
        }
        let is_shown = next > 0;
        let rest = self.lines[next..].iter();
        lines.extend(rest.map(|&line| line.to_owned()));
        is_shown.then(|| lines.join("\n") + "\n")
    }

    fn names_at(&self, at: usize, defect: &Defect) -> Option<Names<'static>> {
        if !self.follows[at + 1..at + defect.right.len()]
            .iter()
            .all(|f| *f)
        {
            return None;
        }
        let mut names = Names::new();
        let patterns = defect.right.iter();
        for (pattern, (_, instruction)) in patterns.zip(&self.instructions[at..]) {
            // Most instructions have another name.
            let literal = pattern.split(['{', ' ']).next().unwrap_or_default();
            if !instruction.starts_with(literal) {
                return None;
            }
            names = matched(pattern, instruction, names)?;
        }
        Some(names)
    }
}

/// What names stand for if a text has the form of a pattern.
fn matched(pattern: &'static str, text: &str, names: Names<'static>) -> Option<Names<'static>> {
    let Some((literal, (name, rest))) = pattern
        .split_once('{')
        .and_then(|(literal, behind)| Some((literal, behind.split_once('}')?)))
    else {
        return (pattern == text).then_some(names);
    };
    let text = text.strip_prefix(literal)?;
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    ends.filter(|&end| is_operand(name, &text[..end]))
        .find_map(|end| {
            let mut names = names.clone();
            let value = &text[..end];
            let known = names.entry(name).or_insert_with(|| value.to_owned());
            if known != value {
                return None;
            }
            matched(rest, &text[end..], names)
        })
}

/// Whether a name can stand for a text: numbers for those that begin with k, else an operand
/// or a part of one.
fn is_operand(name: &str, text: &str) -> bool {
    if name.starts_with('k') {
        return text.parse::<i64>().is_ok();
    }
    let depth = |depth: i32, c: char| match c {
        '(' => depth + 1,
        ')' => depth - 1,
        _ => depth,
    };
    let is_whole = text.chars().fold(0, depth) == 0;
    is_whole && !text.contains(", ")
}

/// A pattern with what its names stand for.
fn filled(pattern: &str, names: &Names<'_>) -> String {
    let mut text = String::new();
    let mut rest = pattern;
    while let Some((before, (name, behind))) = rest
        .split_once('{')
        .and_then(|(before, behind)| Some((before, behind.split_once('}')?)))
    {
        text.push_str(before);
        let number = |name: &str| names[name].parse::<i64>().expect("a number");
        match (name.strip_suffix("+1"), name.strip_suffix("^1")) {
            (Some(name), _) => text.push_str(&(number(name) + 1).to_string()),
            (_, Some(name)) => text.push_str(&(number(name) ^ 1).to_string()),
            _ => text.push_str(&names[name]),
        }
        rest = behind;
    }
    text + rest
}

/// What the program of an assembly text does; `None` if there is no such program.
pub fn behaviour(directory: &Path, assembly: &str) -> Option<Shown> {
    fs::write(directory.join("b.s"), assembly).expect("the directory is writable");
    let assembled = Command::new("gcc")
        .args(["-o", "b.out", "b.s", "-lm"])
        .directory(directory)
        .run()
        .expect("gcc is installed");
    if !assembled.ending.is_success() {
        return None;
    }
    let limits = Limits {
        wall: Duration::from_secs(5),
        ..Limits::default()
    };
    let ran = Command::new(directory.join("b.out")).limits(limits).run();
    let ran = ran.expect("a program can be started");
    Some((ran.ending, ran.stdout))
}
