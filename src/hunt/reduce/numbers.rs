//! Numbers: shorter ones in the place of long ones. The number of tokens stays the same, but
//! `1` is read faster than `0xC8975609L`.

use super::draft::{Draft, Rewrite};
use crate::source::program::{ExprKind, SeedExpr};

/// What a number becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShorterNumber {
    Text(&'static str),
    /// Its value without prefix and suffix.
    Decimal,
    /// Half of it, which may be tried again.
    Half,
}

/// Replaces each number by another one, unless that is not shorter or a macro hides it.
pub(super) fn shorten(draft: &Draft, how: ShorterNumber) -> Vec<Rewrite> {
    let numbers = draft.program.exprs.iter();
    numbers
        .filter_map(|expr| shorter(draft, expr, how))
        .collect()
}

fn shorter(draft: &Draft, expr: &SeedExpr, how: ShorterNumber) -> Option<Rewrite> {
    let ExprKind::Integer(value) = expr.kind else {
        return None;
    };
    let old = draft.text(expr.span);
    let is_number = old.first().is_some_and(u8::is_ascii_digit) && !expr.is_in_macro;
    let new = match how {
        ShorterNumber::Text(text) => text.to_owned(),
        ShorterNumber::Decimal => (value as i64).to_string(),
        ShorterNumber::Half => ((value as i64) / 2).to_string(),
    };
    let is_shorter = match how {
        ShorterNumber::Half => value > 16 && new.len() <= old.len(),
        _ => new.len() < old.len(),
    };
    (is_number && is_shorter).then(|| Rewrite::new().replace(expr.span, new))
}

#[cfg(test)]
mod tests {
    use super::super::draft::proposed;
    use super::*;

    #[test]
    fn long_numbers_become_short() {
        let text = "int main(void) { return 0x1FUL - 7 + 'a'; }";
        let by = |how| proposed(text, |draft| shorten(draft, how));
        assert_eq!(
            by(ShorterNumber::Text("1")),
            ["int main(void) { return 1 - 7 + 'a'; }"]
        );
        assert_eq!(
            by(ShorterNumber::Decimal),
            ["int main(void) { return 31 - 7 + 'a'; }"]
        );
        assert_eq!(
            by(ShorterNumber::Half),
            ["int main(void) { return 15 - 7 + 'a'; }"]
        );
    }

    #[test]
    fn numbers_of_macros_are_left() {
        let text = "#define N 12345\nint main(void) { return N; }";
        assert!(proposed(text, |draft| shorten(draft, ShorterNumber::Decimal)).is_empty());
    }
}
