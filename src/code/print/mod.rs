//! Trees as C text.
//!
//! The text is C89 with `long long` and `_Bool`: no `//`, no declarations in
//! `for`, and none after a statement unless the tree has it there. It needs
//! neither target nor symbol table: constants show their type by suffix or cast.

mod builtin;
mod declarator;
mod expr;
mod stmt;
mod unit;

pub use builtin::{BUILTINS, GNU_WORDS};
pub use declarator::declare;

/// Which parentheses to print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parens {
    /// Those that the grammar needs.
    #[default]
    Needed,
    /// Around every operator.
    // Used by tests only.
    All,
    /// Those needed and some more, the same ones for the same number.
    // Used by tests only.
    Some(u64),
}

/// How to print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Which parentheses to print.
    pub parens: Parens,
}

/// The text printed so far.
struct Printer {
    style: Style,
    text: String,
    /// Expressions printed so far, which decides on further parentheses.
    seen: u64,
}

impl Printer {
    fn new(style: Style) -> Printer {
        Printer {
            style,
            text: String::new(),
            seen: 0,
        }
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Whether the next operator gets parentheses that it does not need.
    fn extra(&mut self) -> bool {
        self.seen += 1;
        match self.style.parens {
            Parens::Needed => false,
            Parens::All => true,
            Parens::Some(seed) => mix(seed ^ self.seen).is_multiple_of(3),
        }
    }
}

/// The finaliser of SplitMix64: a fixed scatter of numbers.
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
