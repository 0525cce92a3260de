//! Functions of the library that copy strings, written so that the memory sanitizer sees what
//! they read.
//!
//! Its own versions of them, in all of clang 14 to 22, pass on whether a byte was written and
//! never ask. A reduction may drop the end of a string, and then `strncpy` reads bytes that
//! nobody wrote; nothing is reported unless the program looks at their copies. Versions that the
//! compiler instruments ask at each byte. They stand behind the text, so its lines keep their
//! numbers, and all their names are our own, since the text may have macros.

use crate::source::program::mentions;

/// Each with the name that a text calls it by.
const COPIERS: [(&str, &str); 5] = [
    (
        "strcpy",
        "char *strcpy(char *mestra__to, const char *mestra__from) {\n\
         char *mestra__at = mestra__to;\n\
         while ((*mestra__at++ = *mestra__from++)) ;\n\
         return mestra__to; }\n",
    ),
    (
        "stpcpy",
        "char *stpcpy(char *mestra__to, const char *mestra__from) {\n\
         while ((*mestra__to = *mestra__from++)) mestra__to++;\n\
         return mestra__to; }\n",
    ),
    (
        "strncpy",
        "char *strncpy(char *mestra__to, const char *mestra__from, __SIZE_TYPE__ mestra__n) {\n\
         __SIZE_TYPE__ mestra__i = 0;\n\
         for (; mestra__i < mestra__n && mestra__from[mestra__i]; mestra__i++)\n\
         mestra__to[mestra__i] = mestra__from[mestra__i];\n\
         for (; mestra__i < mestra__n; mestra__i++) mestra__to[mestra__i] = 0;\n\
         return mestra__to; }\n",
    ),
    (
        "strcat",
        "char *strcat(char *mestra__to, const char *mestra__from) {\n\
         char *mestra__at = mestra__to;\n\
         while (*mestra__at) mestra__at++;\n\
         while ((*mestra__at++ = *mestra__from++)) ;\n\
         return mestra__to; }\n",
    ),
    (
        "strncat",
        "char *strncat(char *mestra__to, const char *mestra__from, __SIZE_TYPE__ mestra__n) {\n\
         char *mestra__at = mestra__to;\n\
         while (*mestra__at) mestra__at++;\n\
         while (mestra__n-- && *mestra__from) *mestra__at++ = *mestra__from++;\n\
         *mestra__at = 0;\n\
         return mestra__to; }\n",
    ),
];

/// The definitions of those that a text names; empty if it names none.
pub(crate) fn named_in(text: &[u8]) -> String {
    let is_named = |name: &str| {
        let builtin = format!("__builtin_{name}");
        mentions(text, name.as_bytes()) || mentions(text, builtin.as_bytes())
    };
    let named = COPIERS.iter().filter(|(name, _)| is_named(name));
    named.map(|(_, definition)| *definition).collect()
}

/// The text with the definitions behind it; `None` if it needs none.
pub(super) fn behind(text: &[u8]) -> Option<Vec<u8>> {
    let definitions = named_in(text);
    let both = [text, b"\n", definitions.as_bytes()].concat();
    (!definitions.is_empty()).then_some(both)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_text_calls_stands_behind_it() {
        assert_eq!(behind(b"int strlen_of, my_strcpy;\n"), None);
        let text = b"int main(void) { char a[9]; __builtin_strcpy(a, \"b\"); }";
        let text = String::from_utf8(behind(text).unwrap()).unwrap();
        assert!(text.contains("\nchar *strcpy("), "{text}");
        assert!(!text.contains("strncpy"), "{text}");
    }
}
