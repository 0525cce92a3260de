//! Foreign text as people may see it: what compilers, programs and file names say goes to
//! terminals and into reports, where control characters would act instead of being read.

use std::borrow::Cow;
use std::fmt::Write;

/// The text with all control characters but line breaks and tabs spelled out, and those
/// that turn the direction of writing.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(acts) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if !acts(character) {
            shown.push(character);
        } else if character.is_ascii() {
            let _ = write!(shown, "\\x{:02x}", u32::from(character));
        } else {
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(character));
        }
    }
    Cow::Owned(shown)
}

fn acts(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        other => other.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn what_acts_is_spelled_out() {
        assert_eq!(
            printable("\x1b[31mred\x1b[0m\r\x07"),
            "\\x1b[31mred\\x1b[0m\\x0d\\x07"
        );
        assert_eq!(printable("a\u{202e}b\u{9b}"), "a\\u{202e}b\\u{9b}");
        assert_eq!(printable("ä\tö\nü …"), "ä\tö\nü …");
    }
}
