//! What a run of a program showed, as it is compared and kept.

use super::printable::printable;
use super::process::{Ending, Output};
use crate::error::Refusal;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;
use std::time::Duration;

/// What a run showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Behaviour {
    pub ending: Ending,
    #[serde(with = "bytes")]
    pub stdout: Vec<u8>,
    #[serde(with = "bytes")]
    pub stderr: Vec<u8>,
}

impl From<Output> for Behaviour {
    fn from(output: Output) -> Behaviour {
        Behaviour {
            ending: output.ending,
            stdout: output.stdout,
            stderr: output.stderr,
        }
    }
}

impl Behaviour {
    /// What a shell would say of a file that is not a program.
    pub(super) fn not_executable(error: &io::Error) -> Behaviour {
        Behaviour {
            ending: Ending::Exited(126),
            stdout: Vec::new(),
            stderr: format!("cannot be executed: {error}\n").into(),
        }
    }
}

/// What a run that we have ended says against a seed.
pub(crate) fn cut_short(behaviours: &[Behaviour], limit: Duration) -> Option<Refusal> {
    let mut ended = behaviours.iter().map(|behaviour| behaviour.ending);
    ended.find_map(|ending| match ending {
        Ending::TimedOut | Ending::Starved => Some(Refusal::DoesNotEnd { limit }),
        Ending::TooMuchOutput => Some(Refusal::PrintsTooMuch),
        Ending::TooManyProcesses => Some(Refusal::StartsTooManyProcesses),
        Ending::Exited(_) | Ending::Signalled(_) => None,
    })
}

/// More of a line than this is not shown.
const SHOWN: usize = 60;

/// Where two builds of a program differ first, in words: the input, if there are several, and
/// the line or the end.
pub(crate) fn first_difference(one: &[Behaviour], other: &[Behaviour]) -> String {
    let mut inputs = one.iter().zip(other).zip(1..);
    let Some(((a, b), input)) = inputs.find(|((a, b), _)| a != b) else {
        return "they were run with different inputs".into();
    };
    let with = if one.len() > 1 {
        format!("with input {input}, ")
    } else {
        String::new()
    };
    for (name, a, b) in [
        ("", &a.stdout, &b.stdout),
        (" of standard error", &a.stderr, &b.stderr),
    ] {
        let [mut a, mut b] = [a, b].map(|text| text.split(|byte| *byte == b'\n'));
        for number in 1.. {
            match (a.next(), b.next()) {
                (None, None) => break,
                (a, b) if a != b => {
                    let [a, b] = [a, b].map(shown_line);
                    if a == b {
                        return format!("{with}only one ends its last line{name}");
                    }
                    return format!("{with}line {number}{name} is {a} or {b}");
                }
                _ => {}
            }
        }
    }
    format!("{with}it ends with {} or with {}", a.ending, b.ending)
}

fn shown_line(line: Option<&[u8]>) -> String {
    match line {
        None | Some([]) => "nothing".into(),
        Some(line) => {
            let text = String::from_utf8_lossy(line);
            let shown: String = text.chars().take(SHOWN).collect();
            let more = if shown.len() < text.len() { "…" } else { "" };
            format!("`{}{more}`", printable(&shown))
        }
    }
}

/// For people; bytes that are no text are replaced.
impl fmt::Display for Behaviour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", String::from_utf8_lossy(&self.stdout))?;
        if !self.stderr.is_empty() {
            let text = String::from_utf8_lossy(&self.stderr);
            write!(f, "[standard error]\n{text}")?;
        }
        writeln!(f, "[{}]", self.ending)
    }
}

/// Bytes as text where they are text, so that people can read the file, and as
/// a list of numbers where they are not, so that nothing is lost.
mod bytes {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Kept {
        Text(String),
        Bytes(Vec<u8>),
    }

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        let kept = match std::str::from_utf8(bytes) {
            Ok(text) => Kept::Text(text.to_owned()),
            Err(_) => Kept::Bytes(bytes.to_owned()),
        };
        kept.serialize(serializer)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(
        deserializer: D,
    ) -> Result<Vec<u8>, D::Error> {
        Ok(match Kept::deserialize(deserializer)? {
            Kept::Text(text) => text.into_bytes(),
            Kept::Bytes(bytes) => bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printing(stdout: &str, status: i32) -> Behaviour {
        Behaviour {
            ending: Ending::Exited(status),
            stdout: stdout.into(),
            stderr: Vec::new(),
        }
    }

    #[test]
    fn the_first_difference_is_a_line_or_the_end() {
        let place =
            |one: &str, other: &str| first_difference(&[printing(one, 0)], &[printing(other, 1)]);
        assert_eq!(place("1\n2\n3\n", "1\n4\n5\n"), "line 2 is `2` or `4`");
        assert_eq!(place("1\n2\n", "1\n"), "line 2 is `2` or nothing");
        assert_eq!(place("1\n", "1"), "only one ends its last line");
        let long = place(&"x".repeat(100), "");
        assert_eq!(long, format!("line 1 is `{}…` or nothing", "x".repeat(60)));
        assert_eq!(
            place("1", "1"),
            "it ends with exit status 0 or with exit status 1"
        );
        let [one, other] = [["1", "2"], ["1", "3"]].map(|all| all.map(|text| printing(text, 0)));
        assert_eq!(
            first_difference(&one, &other),
            "with input 2, line 1 is `2` or `3`"
        );
    }

    #[test]
    fn bytes_survive_being_kept() {
        for stdout in [&b"plain \"text\"\n"[..], b"latin \xe9\xff", b""] {
            let behaviour = Behaviour {
                ending: Ending::Exited(3),
                stdout: stdout.to_vec(),
                stderr: Vec::new(),
            };
            let kept = serde_json::to_string(&behaviour).unwrap();
            assert_eq!(serde_json::from_str::<Behaviour>(&kept).unwrap(), behaviour);
        }
    }
}
