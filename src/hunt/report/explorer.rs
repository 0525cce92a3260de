//! A link that opens a program in Compiler Explorer. It holds the program itself; nothing is
//! sent before somebody opens it.

use crate::hunt::finding::{Finding, version_number};
use crate::lab::toolchain::Family;
use serde_json::json;
use std::fmt::Write;

/// Browsers and trackers cut longer ones.
const LONGEST: usize = 8_000;

/// The link for a finding with its small program; `None` for compilers that are not there,
/// and for programs that are too long for a link.
pub(super) fn link(finding: &Finding, program: &str) -> Option<String> {
    let config = &finding.config;
    let version = version_number(&config.version);
    let compiler = match (config.compiler.family, version.as_slice()) {
        (Family::Gcc, [major, minor, ..]) => format!("cg{major}{minor}"),
        (Family::Clang, [major, minor, patch, ..]) => format!("cclang{major}{minor}{patch}"),
        _ => return None,
    };
    let flags = config.flags.iter().chain(&finding.seed.flags);
    let flags: Vec<&str> = flags.map(String::as_str).collect();
    let state = json!({"sessions": [{
        "id": 1,
        "language": "___c",
        "source": program,
        "compilers": [],
        "executors": [{"compiler": {"id": compiler, "libs": [], "options": flags.join(" ")}}],
    }]});
    let link = format!(
        "https://godbolt.org/clientstate/{}",
        base64(state.to_string().as_bytes())
    );
    (link.len() <= LONGEST).then_some(link)
}

/// Base64, with the characters that mean something in a link escaped.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let mut group = [0; 3];
        group[..chunk.len()].copy_from_slice(chunk);
        let bits = u32::from_be_bytes([0, group[0], group[1], group[2]]);
        for digit in 0..4 {
            if digit > chunk.len() {
                text.push_str("%3D");
                continue;
            }
            let index = bits >> (18 - 6 * digit) & 63;
            match DIGITS[index as usize] {
                escaped @ (b'+' | b'/') => {
                    let _ = write!(text, "%{escaped:02X}");
                }
                plain => text.push(char::from(plain)),
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_others_read_them() {
        assert_eq!(base64(b""), "");
        assert_eq!(base64(b"M"), "TQ%3D%3D");
        assert_eq!(base64(b"Ma"), "TWE%3D");
        assert_eq!(base64(b"Man"), "TWFu");
        assert_eq!(base64(&[0xfb, 0xff, 0xfe]), "%2B%2F%2F%2B");
    }
}
