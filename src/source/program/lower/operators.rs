//! Operators and constants as the text spells them. libclang names operators only from
//! version 17 on, and the values of constants not at all.

use crate::code::op::{BinaryOp, LogicalOp, StepOp, UnaryOp};
use crate::source::program::expression::ExprKind;

/// All operators that can stand between two operands, longest first.
pub(super) const BINARY: &[&str] = &[
    "<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "<=", ">=", "==",
    "!=", "&&", "||", "+", "-", "*", "/", "%", "&", "|", "^", "<", ">", "=", ",",
];

pub(super) fn binary(spelling: &str) -> Option<ExprKind> {
    Some(match spelling {
        "=" => ExprKind::Assign,
        "," => ExprKind::Comma,
        "&&" => ExprKind::Logical(LogicalOp::And),
        "||" => ExprKind::Logical(LogicalOp::Or),
        _ => ExprKind::Binary(arithmetic(spelling)?),
    })
}

/// The operator in `+=` and its like.
pub(super) fn compound(spelling: &str) -> Option<BinaryOp> {
    arithmetic(spelling.strip_suffix('=')?)
}

fn arithmetic(spelling: &str) -> Option<BinaryOp> {
    BinaryOp::ALL
        .into_iter()
        .find(|operator| operator.c_name() == spelling)
}

/// The unary operator that a text begins with.
pub(super) fn unary(text: &[u8], is_postfix: bool) -> ExprKind {
    let text = if is_postfix {
        text.trim_ascii_start()
    } else {
        text
    };
    match (text, is_postfix) {
        ([b'+', b'+', ..], true) => ExprKind::Step(StepOp::PostIncrement),
        ([b'-', b'-', ..], true) => ExprKind::Step(StepOp::PostDecrement),
        ([b'+', b'+', ..], false) => ExprKind::Step(StepOp::PreIncrement),
        ([b'-', b'-', ..], false) => ExprKind::Step(StepOp::PreDecrement),
        // Something stands between the operand and its `++` or `--`: a comment, say.
        (_, true) => {
            let is_decrement = text.windows(2).any(|two| two == b"--");
            ExprKind::Step(if is_decrement {
                StepOp::PostDecrement
            } else {
                StepOp::PostIncrement
            })
        }
        ([b'&', ..], _) => ExprKind::AddressOf,
        ([b'*', ..], _) => ExprKind::Deref,
        ([b'+', ..], _) => ExprKind::Unary(UnaryOp::Plus),
        ([b'-', ..], _) => ExprKind::Unary(UnaryOp::Minus),
        ([b'~', ..], _) => ExprKind::Unary(UnaryOp::Complement),
        ([b'!', ..], _) => ExprKind::Unary(UnaryOp::Not),
        // `__extension__`, `__real__`.
        ([b'_', ..], _) => ExprKind::Other,
        _ => ExprKind::HiddenUnary,
    }
}

/// The value of an integer constant.
pub(super) fn integer(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?;
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&digits[2..], 16),
        [b'0', b'b' | b'B', ..] => (&digits[2..], 2),
        [b'0', _, ..] => (&digits[1..], 8),
        _ => (digits, 10),
    };
    u64::from_str_radix(digits, radix).ok()
}

/// The value of a character constant of one byte.
pub(super) fn character(text: &[u8], is_signed: bool) -> Option<i64> {
    let inside = text.strip_prefix(b"'")?.strip_suffix(b"'")?;
    let byte = match inside {
        [b'\\', escape] => match escape {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'0'..=b'7' => escape - b'0',
            b'\'' | b'"' | b'\\' | b'?' => *escape,
            _ => return None,
        },
        [b'\\', b'x', digits @ ..] => number(digits, 16)?,
        [b'\\', digits @ ..] => number(digits, 8)?,
        [byte] if byte.is_ascii() => *byte,
        _ => return None,
    };
    Some(if is_signed {
        i64::from(byte as i8)
    } else {
        i64::from(byte)
    })
}

fn number(digits: &[u8], radix: u32) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_have_bases_and_suffixes() {
        assert_eq!(integer(b"0"), Some(0));
        assert_eq!(integer(b"017"), Some(15));
        assert_eq!(integer(b"0xFFuLL"), Some(255));
        assert_eq!(integer(b"0b101"), Some(5));
        assert_eq!(integer(b"18446744073709551615UL"), Some(u64::MAX));
        assert_eq!(integer(b"1\\\n0"), None);
    }

    #[test]
    fn characters_have_escapes_and_a_sign() {
        assert_eq!(character(b"'a'", true), Some(97));
        assert_eq!(character(b"'\\n'", true), Some(10));
        assert_eq!(character(b"'\\0'", true), Some(0));
        assert_eq!(character(b"'\\377'", true), Some(-1));
        assert_eq!(character(b"'\\xff'", false), Some(255));
        assert_eq!(character(b"'ab'", true), None);
        assert_eq!(character(b"L'a'", true), None);
    }
}
