//! Single wrong instructions: another operator, constant, condition or width, in the
//! assembly of x86-64 as gcc and clang write it.

use rand::Rng;
use rand::seq::IndexedRandom;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    Operator,
    Constant,
    Condition,
    Width,
}

/// A wrong instruction.
#[derive(Debug)]
pub struct Corruption {
    pub fault: Fault,
    /// In place of the right one.
    pub wrong: String,
    /// In place of the right one: ends the program where the wrong one gives another
    /// result; of comparisons and of what goes to memory, wherever it is executed.
    pub probe: String,
}

const OPERATORS: [(&str, &str); 21] = [
    ("add", "sub"),
    ("sub", "add"),
    ("and", "or"),
    ("or", "and"),
    ("xor", "or"),
    ("imul", "add"),
    ("neg", "not"),
    ("not", "neg"),
    ("sal", "shr"),
    ("shl", "shr"),
    ("shr", "shl"),
    ("sar", "shl"),
    ("inc", "dec"),
    ("dec", "inc"),
    ("padd", "psub"),
    ("psub", "padd"),
    ("pand", "por"),
    ("por", "pand"),
    ("pxor", "por"),
    ("pmaxs", "pmins"),
    ("pmins", "pmaxs"),
];

/// Conditions, each with its opposite and its neighbour.
const CONDITIONS: [(&str, [&str; 2]); 12] = [
    ("e", ["ne", "ne"]),
    ("ne", ["e", "e"]),
    ("l", ["ge", "le"]),
    ("le", ["g", "l"]),
    ("g", ["le", "ge"]),
    ("ge", ["l", "g"]),
    ("b", ["ae", "be"]),
    ("be", ["a", "b"]),
    ("a", ["be", "ae"]),
    ("ae", ["b", "a"]),
    ("s", ["ns", "ns"]),
    ("ns", ["s", "s"]),
];

/// Some way to get an instruction wrong, if it has one.
pub fn corrupt(line: &str, rng: &mut impl Rng) -> Option<Corruption> {
    let line = line.split('#').next()?.trim();
    let (name, operands) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let operands = operands.trim();
    let ways = [operator(name, operands), constant(name, operands, rng)];
    let others = [condition(name, operands, rng), width(name, operands)];
    let ways: Vec<Corruption> = ways.into_iter().chain(others).flatten().collect();
    let faults: Vec<Fault> = ways.iter().map(|way| way.fault).collect();
    let fault = *faults.choose(rng)?;
    ways.into_iter().find(|way| way.fault == fault)
}

/// Where probes keep values; to be put into the program once.
pub const SCRATCH: &str = ".lcomm mestra_old, 8\n.lcomm mestra_wrong, 8\n";

impl Corruption {
    fn new(fault: Fault, right: &str, wrong: String) -> Corruption {
        let target = right.rsplit([' ', '\t']).next().unwrap_or_default();
        let is_test = right.starts_with("cmp") || right.starts_with("test");
        let probe = match whole(target) {
            Some(whole) if !is_test => differing(right, &wrong, &whole),
            _ => "ud2".into(),
        };
        Corruption {
            fault,
            wrong,
            probe,
        }
    }
}

/// Does what is wrong, then what is right, and ends the program if they give different
/// values. Flags, and the red zone below the stack, may be in use.
fn differing(right: &str, wrong: &str, target: &str) -> String {
    format!(
        "movq {target}, mestra_old(%rip)\n {wrong}\n movq {target}, mestra_wrong(%rip)\n \
         movq mestra_old(%rip), {target}\n {right}\n leaq -128(%rsp), %rsp\n pushfq\n \
         cmpq mestra_wrong(%rip), {target}\n je 77f\n ud2\n77: popfq\n leaq 128(%rsp), %rsp"
    )
}

/// The 64 bits of a general register, by any of its names.
fn whole(name: &str) -> Option<String> {
    let name = name.strip_prefix('%')?;
    let numbered = name
        .strip_prefix('r')
        .map(|rest| rest.trim_end_matches(['d', 'w', 'b']));
    if let Some(Ok(8..=15)) = numbered.map(str::parse::<u32>) {
        return Some(format!("%r{}", numbered?));
    }
    let stem = name.trim_start_matches(['e', 'r']);
    let whole = match stem {
        "ax" | "al" => "rax",
        "bx" | "bl" => "rbx",
        "cx" | "cl" => "rcx",
        "dx" | "dl" => "rdx",
        "si" | "sil" => "rsi",
        "di" | "dil" => "rdi",
        "bp" | "bpl" => "rbp",
        _ => return None,
    };
    Some(format!("%{whole}"))
}

fn operator(name: &str, operands: &str) -> Option<Corruption> {
    let is_suffix = |rest: &str| matches!(rest, "" | "b" | "w" | "l" | "q" | "d");
    let (suffix, other) = OPERATORS.iter().find_map(|(op, other)| {
        let rest = name.strip_prefix(op)?;
        is_suffix(rest).then_some((rest, *other))
    })?;
    let (source, target) = operands.rsplit_once(", ").unwrap_or(("", operands));
    // A register made zero is no computation; the stack is no value; `imul $3, a, b` and
    // `imul b`, a wide product, have no counterpart.
    let is_zeroing = source == target;
    let is_other_form = name.starts_with("imul") && (source.is_empty() || source.contains(", "));
    if is_zeroing || is_other_form || target == "%rsp" {
        return None;
    }
    let wrong = format!("{other}{suffix} {operands}");
    let right = format!("{name} {operands}");
    Some(Corruption::new(Fault::Operator, &right, wrong))
}

fn constant(name: &str, operands: &str, rng: &mut impl Rng) -> Option<Corruption> {
    let is_jump = name.starts_with('j') || name.starts_with("call");
    let rest = operands.strip_prefix('$')?;
    let end = rest.find(", ").unwrap_or(rest.len());
    let value: i64 = rest[..end].parse().ok()?;
    if is_jump || operands.ends_with("%rsp") {
        return None;
    }
    let is_shift = ["sh", "sa", "ro"]
        .iter()
        .any(|start| name.starts_with(start));
    let bit = if is_shift { 0 } else { rng.random_range(0..4) };
    let wrong = value ^ (1 << bit);
    let wrong = format!("{name} ${wrong}{}", &rest[end..]);
    let right = format!("{name} {operands}");
    Some(Corruption::new(Fault::Constant, &right, wrong))
}

fn condition(name: &str, operands: &str, rng: &mut impl Rng) -> Option<Corruption> {
    let start = ["cmov", "set", "j"]
        .into_iter()
        .find(|start| name.starts_with(start))?;
    let others = |condition: &str| {
        let known = CONDITIONS.iter().find(|(known, _)| *known == condition);
        known.map(|(_, others)| *others)
    };
    let rest = &name[start.len()..];
    // A conditional move may name its width.
    let (others, suffix) = match others(rest) {
        Some(others) => (others, ""),
        None => {
            let (condition, suffix) = rest.split_at_checked(rest.len().checked_sub(1)?)?;
            (others(condition)?, suffix)
        }
    };
    let other = others.choose(rng)?;
    let wrong = format!("{start}{other}{suffix} {operands}");
    let right = format!("{name} {operands}");
    let mut corruption = Corruption::new(Fault::Condition, &right, wrong);
    if start == "j" {
        corruption.probe = format!(
            "j{rest} 771f\n j{other} 772f\n jmp 773f\n771: j{other} {operands}\n772: ud2\n773:"
        );
    }
    Some(corruption)
}

/// A load of fewer bits, or an extension of the other sort.
fn width(name: &str, operands: &str) -> Option<Corruption> {
    let (source, target) = operands.rsplit_once(", ")?;
    let is_load = source.ends_with(')');
    // What is loaded as a byte or word is extended once more before it is used.
    let other = match name {
        "movl" if is_load && target.starts_with('%') => "movzbl",
        "movzbl" if !is_load => "movsbl",
        "movzwl" if !is_load => "movswl",
        "movsbl" if !is_load => "movzbl",
        "movswl" if !is_load => "movzwl",
        _ => return None,
    };
    let wrong = format!("{other} {operands}");
    let right = format!("{name} {operands}");
    Some(Corruption::new(Fault::Width, &right, wrong))
}
