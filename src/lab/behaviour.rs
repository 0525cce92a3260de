//! What a run of a program showed, as it is compared and kept.

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
