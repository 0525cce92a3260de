//! How a sampled point hands its locals to the runtime: their addresses or their values.
//!
//! Addresses are arguments of one call, which costs a compiler without optimisation a
//! fraction of a statement for each value. But a variable whose address is known elsewhere
//! is optimised differently: a build that is to behave as an accused one did hands over
//! values.

use super::LeafColumn;
use super::instrument::PREFIX;
use crate::code::scalar::FloatKind;
use crate::code::types::IntKind;
use crate::source::program::{LeafKind, Program};
use std::fmt::Write;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    Addresses,
    Values,
}

/// What `runtime/mestra_rt.c` takes for a local that the point itself has stored.
const STORED: char = '.';

impl Reading {
    /// The code that records a row at a point, by the point's number and the sample's.
    pub(super) fn record(
        self,
        program: &Program,
        columns: &[&LeafColumn],
        (point, sample): (usize, usize),
    ) -> String {
        let mut stores = String::new();
        let (mut letters, mut addresses) = (String::new(), String::new());
        for (index, column) in columns.iter().enumerate() {
            let letter = letter(program, column).filter(|_| self == Reading::Addresses);
            letters.push(letter.unwrap_or(STORED));
            if letter.is_some() {
                let _ = write!(addresses, ", &{}", column.text);
            } else {
                store(&mut stores, &format!("{PREFIX}v[{index}]"), column);
            }
        }
        if addresses.is_empty() {
            return format!("{{ {stores}{PREFIX}row({point}, {sample}); }} ");
        }
        let call = format!("{PREFIX}row_at({point}, {sample}, \"{letters}\"{addresses});");
        format!("{{ {stores}{call} }} ")
    }
}

/// The code that puts a value into a word.
pub(super) fn store(text: &mut String, target: &str, column: &LeafColumn) {
    let value = &column.text;
    let _ = match column.kind {
        LeafKind::Integer { .. } => write!(text, "{target}=({PREFIX}word)({value}); "),
        LeafKind::Float { kind } => {
            let bits = match kind {
                FloatKind::Float => "single",
                _ => "double",
            };
            write!(text, "{target}={PREFIX}{bits}({value}); ")
        }
        LeafKind::Pointer { .. } => write!(text, "{target}={PREFIX}where({value}); "),
    };
}

/// The type of a local as the runtime knows it; `None` if it cannot be read by its address.
fn letter(program: &Program, column: &LeafColumn) -> Option<char> {
    if program.variable(column.place.variable).is_register {
        return None;
    }
    let kind = match column.kind {
        LeafKind::Pointer { .. } => return Some('p'),
        LeafKind::Float { kind } => {
            return Some(if kind == FloatKind::Float { 'f' } else { 'd' });
        }
        LeafKind::Integer {
            bit_width: Some(_), ..
        } => return None,
        LeafKind::Integer { kind, .. } => kind,
    };
    match kind {
        IntKind::Bool => Some('b'),
        IntKind::Char => Some('k'),
        IntKind::SChar => Some('c'),
        IntKind::UChar => Some('C'),
        IntKind::Short => Some('s'),
        IntKind::UShort => Some('S'),
        IntKind::Int => Some('i'),
        IntKind::UInt => Some('I'),
        IntKind::Long => Some('l'),
        IntKind::ULong => Some('L'),
        IntKind::LongLong => Some('q'),
        IntKind::ULongLong => Some('Q'),
    }
}
