//! Structs of our own, which the code of mutations may declare objects of.
//!
//! They are the same for all mutations, so that a variant defines each at most once, in its
//! prologue, whichever mutations it is made of. Records name them: one that was ever
//! written stays as it is.

use crate::code::ctype::{Field, Type, Types};
use crate::code::types::IntKind::{Int, Long, LongLong, SChar, Short, UChar, UInt, ULong, UShort};
use crate::code::types::Target;
use std::collections::BTreeSet;

/// What all their names begin with, as C spells them.
const PREFIX: &str = "struct mestra_of_";

/// A struct's name and its members.
type OwnStruct = (&'static str, Vec<Field>);

/// All of them; one that contains another comes behind it.
fn all() -> [OwnStruct; 6] {
    let array = |kind, len| Type::from(kind).array(len);
    [
        // Small enough for one register, and for two.
        (
            "struct mestra_of_bits",
            vec![
                Field::bits("mestra_a", Int, 5),
                Field::bits("mestra_b", UInt, 11),
                Field::bits("mestra_c", Int, 16),
            ],
        ),
        (
            "struct mestra_of_words",
            vec![
                Field::new("mestra_a", Long),
                Field::new("mestra_b", UInt),
                Field::new("mestra_c", Int),
            ],
        ),
        // Bit-fields that no byte begins with, among other members, with padding.
        (
            "struct mestra_of_mixed",
            vec![
                Field::new("mestra_a", UChar),
                Field::bits("mestra_b", UInt, 3),
                Field::bits("mestra_c", Int, 30),
                Field::new("mestra_d", Short),
                Field::bits("mestra_e", UInt, 1),
                Field::new("mestra_f", ULong),
            ],
        ),
        // Narrow members side by side, which copies put together.
        (
            "struct mestra_of_narrow",
            vec![
                Field::new("mestra_a", SChar),
                Field::new("mestra_b", UChar),
                Field::new("mestra_c", Short),
                Field::new("mestra_d", UShort),
                Field::new("mestra_e", SChar),
            ],
        ),
        // Too large for registers.
        (
            "struct mestra_of_rows",
            vec![
                Field::new("mestra_a", array(Int, 3)),
                Field::new("mestra_b", LongLong),
                Field::new("mestra_c", array(UShort, 5)),
                Field::new("mestra_d", UChar),
            ],
        ),
        (
            "struct mestra_of_parts",
            vec![
                Field::new("mestra_a", Short),
                Field::new("mestra_b", Type::record("struct mestra_of_bits")),
                Field::bits("mestra_c", UInt, 7),
                Field::new("mestra_d", Type::record("struct mestra_of_narrow")),
            ],
        ),
    ]
}

/// Says what their names mean.
pub(crate) fn define(types: &mut Types) {
    for (name, fields) in all() {
        types.define(name, fields);
    }
}

/// Whether a struct is one of them.
pub(crate) fn is_own(name: &str) -> bool {
    all().iter().any(|(own, _)| *own == name)
}

/// The names of those that types know.
pub(crate) fn known(types: &Types) -> impl Iterator<Item = &str> {
    let names = types.records().map(|(name, _)| name);
    names.filter(|name| name.starts_with(PREFIX))
}

/// The definitions that a text needs and that a program does not have, each on one line.
pub(crate) fn definitions<'t>(texts: impl Iterator<Item = &'t [u8]>, program: &[u8]) -> String {
    let is_named = |text: &[u8], name: &str| {
        let mut words = text.windows(name.len());
        words.any(|word| word == name.as_bytes())
    };
    let texts: Vec<&[u8]> = texts.filter(|text| is_named(text, PREFIX)).collect();
    // What follows takes time, and most have none.
    if texts.is_empty() {
        return String::new();
    }
    let all = all();
    let holds = |fields: &[Field], name: &str| {
        let mut fields = fields.iter();
        fields.any(|field| field.ty == Type::record(name))
    };
    // One that contains another comes with it and never later: what a further link of a chain
    // defines stands before what is there already.
    let mut names: BTreeSet<&str> = BTreeSet::new();
    loop {
        let before = names.len();
        for (name, fields) in &all {
            let mut others = all.iter().filter(|(other, _)| names.contains(other));
            let is_near = others.any(|(other, of)| holds(of, name) || holds(fields, other));
            if is_near || texts.iter().any(|text| is_named(text, name)) {
                names.insert(name);
            }
        }
        if names.len() == before {
            break;
        }
    }
    let mut needed = Types::new(Target::LP64);
    for (name, fields) in all.iter().filter(|(name, _)| names.contains(name)) {
        needed.define(name, fields.clone());
    }
    needed.retain_records(|name| !is_named(program, &format!("{name} {{")));
    let lines = needed.to_c();
    let whole = lines.split_inclusive("};\n");
    let line = |one: &str| one.split_ascii_whitespace().collect::<Vec<_>>().join(" ") + "\n";
    whole.map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, program: &str) -> Vec<String> {
        let made = definitions([text.as_bytes()].into_iter(), program.as_bytes());
        made.lines().map(String::from).collect()
    }

    #[test]
    fn what_is_named_is_defined_once_with_what_it_contains() {
        let text = "{ struct mestra_of_parts mestra_1_s0; }";
        let made = lines(text, "int x;");
        assert_eq!(made.len(), 3, "{made:?}");
        assert!(made[2].starts_with("struct mestra_of_parts { short mestra_a;"));
        let again = lines(text, &made.join("\n"));
        assert!(again.is_empty(), "{again:?}");
        assert!(lines("{ int mestra_1_s0; }", "").is_empty());
    }

    #[test]
    fn one_that_contains_others_is_defined_with_them() {
        let made = lines("struct mestra_of_bits", "");
        assert_eq!(made.len(), 3, "{made:?}");
        assert!(made[2].starts_with("struct mestra_of_parts {"));
        let program = made.join("\n");
        assert!(lines("struct mestra_of_parts", &program).is_empty());
        assert_eq!(lines("struct mestra_of_words", &program).len(), 1);
    }
}
