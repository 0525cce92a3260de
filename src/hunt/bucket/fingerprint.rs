//! What a finding shows of its defect, and whether another shows the same.
//!
//! Questions are asked in layers, the surest first: the words of a compiler that fails;
//! the pass or flag where wrong code was located, and the first version that is right
//! again; the shape of the small program. Levels and kinds of mutations differ from program
//! to program, so they are shown and decide nothing. A finding that has none of these yet
//! can only be guessed at.

use super::shape::{ProgramShape, contained, similarity, telling};
use crate::hunt::campaign::crash::is_mute;
use crate::hunt::finding::verdict::VerdictKind;
use crate::hunt::finding::{Finding, Reduced, dotted, version_number};
use crate::lab::toolchain::{Compiler, Family};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Small programs of one defect have at least so much in common. On planted defects,
/// reductions of one have 0.5 and more, those of different ones mostly a third or less.
const ALIKE: f64 = 0.5;

/// A program of so few tokens says what it is about, though something might still go.
const NEARLY_THROUGH: usize = 150;

/// Of what a small program is made of, another of the same defect has at least so much while
/// something may still go from it.
const MOSTLY: f64 = 0.6;

/// A defect as one finding shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// The compiler, whatever its version and the directory it is in.
    pub family: String,
    pub class: FailureClass,
    /// The version number of the accused compiler.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// What a failing compiler says, if that tells defects apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// The pass or flag where the fault was located.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pass: Option<String>,
    /// The flags that fail; of a finding that is not reduced, its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// The first installed version above the accused one that is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right_since: Option<String>,
    /// What the small program is made of; empty if there is none. Of a program from which
    /// something may still go, it says more than the defect needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shape: Vec<String>,
    /// The kinds of mutations that the failure needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mutations: Vec<String>,
    /// Whether there is a program from which nothing more can be removed.
    #[serde(default)]
    pub is_small: bool,
}

/// Failures that one defect can cause: a miscompiled program may print something wrong,
/// crash or hang.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureClass {
    WrongCode,
    /// A volatile variable is accessed otherwise, though the program does what it should.
    Accesses,
    Crash,
    Hang,
    Memory,
    Rejected,
}

impl FailureClass {
    fn of(kind: VerdictKind) -> FailureClass {
        match kind {
            VerdictKind::WrongAccesses => FailureClass::Accesses,
            VerdictKind::CompilerCrash => FailureClass::Crash,
            VerdictKind::CompilerHang => FailureClass::Hang,
            VerdictKind::CompilerMemory => FailureClass::Memory,
            VerdictKind::Rejected => FailureClass::Rejected,
            _ => FailureClass::WrongCode,
        }
    }

    /// As it is written in files and names.
    pub(crate) fn name(self) -> &'static str {
        match self {
            FailureClass::WrongCode => "wrong-code",
            FailureClass::Accesses => "accesses",
            FailureClass::Crash => "crash",
            FailureClass::Hang => "hang",
            FailureClass::Memory => "memory",
            FailureClass::Rejected => "rejected",
        }
    }
}

impl Fingerprint {
    /// Of a finding, with its reduction and the shape of the small program.
    pub(super) fn of(
        finding: &Finding,
        reduced: Option<&Reduced>,
        shape: &ProgramShape,
    ) -> Fingerprint {
        let compiler = &finding.config.compiler;
        let verdict = &finding.verdict;
        let number = version_number(&finding.config.version);
        let located = reduced.map(|reduced| &reduced.located);
        let flags: Vec<String> = match located {
            Some(located) => {
                let failing = located.failing_flags(&compiler.name);
                failing.into_iter().map(str::to_owned).collect()
            }
            None => vec![finding.config.flags.join(" ")],
        };
        // What is left of an unfinished reduction is mostly the seed, which tells nothing.
        let is_through = reduced.is_some_and(|reduced| reduced.is_finished);
        let is_small = shape.is_small() && is_through;
        let tells = is_small || shape.is_small() && shape.tokens <= NEARLY_THROUGH;
        let kinds = reduced.and_then(|reduced| reduced.shrunk.as_ref());
        let kinds = kinds.map_or_else(Vec::new, |shrunk| shrunk.kinds.keys().cloned().collect());
        let pass = located.and_then(|located| located.pass.as_deref());
        let right = located.and_then(|located| located.right_since(&finding.config.version));
        Fingerprint {
            family: family(compiler),
            class: FailureClass::of(verdict.kind),
            version: dotted(&number),
            signature: (!is_mute(verdict)).then(|| verdict.signature.clone()),
            pass: pass.map(|pass| known_as(compiler, pass)),
            flags: flags.into_iter().filter(|set| !set.is_empty()).collect(),
            right_since: right.map(|number| dotted(&number)),
            shape: if tells {
                shape.features.clone()
            } else {
                Vec::new()
            },
            mutations: kinds,
            is_small,
        }
    }

    /// How much it tells: findings that tell more are sorted first.
    pub(super) fn strength(&self) -> u8 {
        if self.signature.is_some() {
            4
        } else if self.pass.is_some() {
            3
        } else if self.is_small {
            2
        } else {
            u8::from(self.is_nearly_small())
        }
    }

    /// Whether all that tells something is a program from which something may still go.
    pub(super) fn is_half_told(&self) -> bool {
        self.strength() == 1
    }

    fn is_nearly_small(&self) -> bool {
        !self.is_small && !self.shape.is_empty()
    }

    /// Whether it says nothing that could tell two defects apart.
    pub(super) fn is_vague(&self) -> bool {
        self.strength() == 0
    }

    /// Whether both show the same defect, as far as that can be told.
    pub(super) fn is_alike(&self, other: &Fingerprint) -> bool {
        let is_same_failure = self.is_same_failure(other);
        if !is_same_failure || self.signature.is_some() {
            return is_same_failure;
        }
        if self.is_vague() || other.is_vague() {
            return self == other;
        }
        let are_right = self.right_since.as_ref().zip(other.right_since.as_ref());
        if are_right.is_some_and(|(one, two)| one != two) {
            return false;
        }
        match (&self.pass, &other.pass) {
            (Some(one), Some(two)) => one == two,
            // No pass is to blame for what fails without any.
            (Some(_), None) if other.fails_unoptimised() => false,
            (None, Some(_)) if self.fails_unoptimised() => false,
            _ => self.looks_like(other) && self.fails_unoptimised() == other.fails_unoptimised(),
        }
    }

    /// Whether the small programs have enough in common. What one of them has more counts
    /// against it only if nothing can go from it any more.
    fn looks_like(&self, other: &Fingerprint) -> bool {
        match (self.is_nearly_small(), other.is_nearly_small()) {
            (false, true) => contained(&self.shape, &other.shape) >= MOSTLY,
            (true, false) => contained(&other.shape, &self.shape) >= MOSTLY,
            _ => similarity(&self.shape, &other.shape) >= ALIKE,
        }
    }

    /// Whether the compilers, what they get wrong, and what they say of it are the same.
    pub(super) fn is_same_failure(&self, other: &Fingerprint) -> bool {
        let says_the_same = match (&self.signature, &other.signature) {
            (Some(one), Some(two)) => {
                // Another version has the same assertion in another line.
                let moved = self.version != other.version && place(one) == place(two);
                one == two || moved
            }
            (None, None) => true,
            _ => false,
        };
        self.family == other.family && self.class == other.class && says_the_same
    }

    /// Whether it can be the same defect where one of the two says nothing.
    pub(super) fn may_be(&self, other: &Fingerprint) -> bool {
        let share = |level: &String| other.flags.contains(level);
        self.family == other.family
            && self.class == other.class
            && self.signature.is_none()
            && other.signature.is_none()
            && (self.flags.is_empty() || other.flags.is_empty() || self.flags.iter().any(share))
    }

    fn fails_unoptimised(&self) -> bool {
        let is_level = |flag: &&String| flag.split(' ').next() == Some("-O0");
        self.flags.iter().any(|flag| is_level(&flag))
    }

    /// How different two defects look, for showing different ones first.
    pub(super) fn distance(&self, other: &Fingerprint) -> f64 {
        let differs = |differs: bool| f64::from(u8::from(differs));
        differs(self.family != other.family)
            + differs(self.class != other.class)
            + differs(self.signature != other.signature)
            + differs(self.pass != other.pass)
            + 1.0
            - similarity(&self.shape, &other.shape)
    }

    /// A name for the defect that another run would give it, too.
    pub(super) fn name(&self) -> String {
        let place = match (&self.signature, &self.pass) {
            (Some(signature), _) => place(signature),
            (None, Some(pass)) => pass.clone(),
            (None, None) if !self.is_vague() => telling(&self.shape).join(" "),
            (None, None) => "unsorted".into(),
        };
        slug(&format!("{} {} {place}", self.family, self.class.name()))
    }
}

/// The name of the compiler without its directory and version: `./mycc-2` is `mycc`.
pub(crate) fn family(compiler: &Compiler) -> String {
    match compiler.family {
        Family::Gcc => "gcc".to_owned(),
        Family::Clang => "clang".to_owned(),
        Family::Tcc => "tcc".to_owned(),
        Family::Other => {
            let name = compiler.name.rsplit('/').next().unwrap_or_default();
            let is_number = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
            match name.trim_end_matches(is_number) {
                "" => name.to_owned(),
                bare => bare.to_owned(),
            }
        }
    }
}

/// A pass by one name in all versions: what clang 19 calls `EarlyCSEPass` is
/// `early-cse` in clang 22. And by one name in all programs: which of the runs of gcc's
/// `tree-cunrolli` or `rtl-ce2` gets something wrong depends on the program.
fn known_as(compiler: &Compiler, pass: &str) -> String {
    match compiler.family {
        Family::Clang => {
            let name = pass.to_lowercase().replace('-', "");
            name.strip_suffix("pass").unwrap_or(&name).to_owned()
        }
        Family::Gcc if !pass.starts_with('-') => pass
            .trim_end_matches(|c: char| c.is_ascii_digit())
            .to_owned(),
        _ => pass.to_owned(),
    }
}

/// A signature without the numbers of lines: `in f, at g.cc:12` is `in f, at g.cc`.
pub(crate) fn place(signature: &str) -> String {
    let words = signature
        .split(' ')
        .map(|word| match word.rsplit_once(':') {
            Some((file, line)) if !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit()) => {
                file
            }
            _ => word,
        });
    words.collect::<Vec<_>>().join(" ")
}

/// Letters and digits with hyphens between them.
fn slug(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .take(12)
        .map(str::to_ascii_lowercase)
        .collect();
    words.join("-")
}

/// Everything by which it is recognised, in one line.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.family, self.class.name())?;
        for place in self.signature.iter().chain(&self.pass) {
            write!(f, ", {place}")?;
        }
        if self.signature.is_none() {
            if !self.flags.is_empty() {
                write!(f, " ({})", self.flags.join(", "))?;
            }
            if !self.shape.is_empty() {
                write!(f, " with {}", self.shape.join(", "))?;
            }
            if !self.mutations.is_empty() {
                write!(f, " by {}", self.mutations.join(" + "))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(class: FailureClass) -> Fingerprint {
        Fingerprint {
            family: "gcc".into(),
            class,
            version: "12.2.0".into(),
            signature: None,
            pass: None,
            flags: vec![],
            right_since: None,
            shape: vec![],
            mutations: vec![],
            is_small: false,
        }
    }

    fn crash(version: &str, signature: &str) -> Fingerprint {
        Fingerprint {
            version: version.into(),
            signature: Some(signature.into()),
            ..print(FailureClass::Crash)
        }
    }

    fn located(pass: Option<&str>, shape: &[&str]) -> Fingerprint {
        Fingerprint {
            pass: pass.map(str::to_owned),
            shape: shape.iter().map(|&feature| feature.to_owned()).collect(),
            is_small: true,
            ..print(FailureClass::WrongCode)
        }
    }

    #[test]
    fn a_crash_is_known_in_another_version_by_its_place() {
        let one = crash("12.2.0", "in f, at g.cc:12");
        assert!(one.is_alike(&crash("12.2.0", "in f, at g.cc:12")));
        assert!(!one.is_alike(&crash("12.2.0", "in f, at g.cc:34")));
        assert!(one.is_alike(&crash("13.1.0", "in f, at g.cc:34")));
        assert!(!one.is_alike(&crash("13.1.0", "in h, at g.cc:12")));
        assert_eq!(one.name(), "gcc-crash-in-f-at-g-cc");
    }

    #[test]
    fn wrong_code_is_known_by_its_pass_whatever_the_program() {
        let one = located(Some("-ftree-vrp"), &["shift"]);
        assert!(one.is_alike(&located(Some("-ftree-vrp"), &["loop"])));
        assert!(!one.is_alike(&located(Some("-fgcse"), &["shift"])));
        // Time may have been up before it was located.
        assert!(one.is_alike(&located(None, &["shift"])));
        assert!(!one.is_alike(&located(None, &["loop"])));
        let fixed = |version: &str| Fingerprint {
            right_since: Some(version.into()),
            ..one.clone()
        };
        assert!(!fixed("13").is_alike(&fixed("14")));
        assert!(fixed("13").is_alike(&one));
    }

    #[test]
    fn what_may_still_go_tells_no_defects_apart() {
        let small = located(None, &["shift", "long"]);
        let half = |shape: &[&str]| Fingerprint {
            is_small: false,
            ..located(None, shape)
        };
        let rest = ["shift", "array", "pointer", "narrow", "long", "loop"];
        assert!(small.is_alike(&half(&rest)) && half(&rest).is_alike(&small));
        assert!(!small.is_alike(&located(None, &rest)));
        assert!(!small.is_alike(&half(&rest[1..4])));
        assert!(half(&rest).is_half_told() && !half(&rest).is_vague());
    }

    #[test]
    fn what_fails_without_optimisation_is_of_no_pass() {
        let mut unoptimised = located(None, &["shift"]);
        unoptimised.flags = vec!["-O0".into(), "-O2".into()];
        assert!(!unoptimised.is_alike(&located(Some("-fgcse"), &["shift"])));
        assert!(!located(None, &["shift"]).is_alike(&unoptimised));
    }

    #[test]
    fn what_is_not_reduced_can_be_anything_of_its_level() {
        let mut vague = print(FailureClass::WrongCode);
        vague.flags = vec!["-O2".into()];
        let mut sure = located(Some("-fgcse"), &["shift"]);
        sure.flags = vec!["-O2".into(), "-O3".into()];
        assert!(!vague.is_alike(&sure) && vague.may_be(&sure));
        sure.flags = vec!["-O1".into()];
        assert!(!vague.may_be(&sure));
        assert_eq!(vague.name(), "gcc-wrong-code-unsorted");
    }

    #[test]
    fn a_compiler_has_one_family_under_all_its_names() {
        let named = |name: &str| {
            family(&Compiler {
                name: name.into(),
                path: name.into(),
                family: Family::Other,
            })
        };
        for name in ["mycc", "./mycc", "/opt/bin/mycc-2.1"] {
            assert_eq!(named(name), "mycc");
        }
        assert_eq!(named("8"), "8");
    }
}
