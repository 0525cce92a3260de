//! Numbers with their nouns, for messages.

use std::fmt::Display;

/// `1 seed`, `2 seeds`; the noun is one that takes an `s`.
pub(crate) fn plural<N: Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    let ending = if count == N::from(1) { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

#[cfg(test)]
mod tests {
    use super::plural;

    #[test]
    fn one_thing_is_not_several() {
        assert_eq!(plural(0_usize, "seed"), "0 seeds");
        assert_eq!(plural(1_u64, "seed"), "1 seed");
        assert_eq!(plural(2_u32, "seed"), "2 seeds");
    }
}
