//! Whether a difference comes from something that C or compilers leave open.
//!
//! The seed's expressions say what is open in it. Where that is not enough, the compiler
//! is asked: a call that the library answers is not open, and nor is a macro that means the
//! same everywhere.

use super::super::judge::Judge;
use super::{Conclusion, Suspicion};
use crate::hunt::finding::verdict::Verdict;
use crate::hunt::finding::{AliasRule, Doubt, ProgramRole, Standing, Unchecked};
use crate::lab::process::{Ending, Purpose};
use crate::lab::toolchain::{Config, Family};
use crate::lab::{Behaviour, Stage, Way};
use crate::source::open::{
    ConditionalGroups, FloatFreedom, GREATEST_ALIGNMENT, OpenValue, Openness,
    asks_for_fortification, is_c90, is_strict_c90,
};
use anyhow::Result;
use std::borrow::Cow;
use std::ffi::OsString;

/// Lets the C library answer calls that a compiler could answer itself.
pub(super) const NO_BUILTIN: &str = "-fno-builtin";

/// Takes back what any flag or the compiler itself says of `_FORTIFY_SOURCE`; `-U` alone
/// comes before a `-Wp,-D`.
const NO_FORTIFICATION: &str = "-Wp,-U_FORTIFY_SOURCE";

/// Names functions as every compiler does.
const PLAIN_NAMES: &str = "-D__PRETTY_FUNCTION__=__func__";

/// Lets signed numbers overflow.
const WRAPPING: &str = "-fwrapv";

/// Forbids a compiler to believe that memory has one type.
const NO_STRICT_ALIASING: &[&str] = &["-fno-strict-aliasing"];

/// How gcc says that a function which is always to be inlined cannot be. Which ones can
/// depends on flags, and nobody promises anything.
const NOT_INLINED: &str = "inlining failed in call to";

/// How tcc, clang and gcc say that there is no header of a name.
const NO_HEADER: &[&str] = &[
    "include file '…' not found",
    "'…' file not found",
    "No such file or directory",
];

/// Takes the word out of a program.
const NO_RESTRICT: &[&str] = &["-Drestrict=", "-D__restrict=", "-D__restrict__="];

/// What nothing can be asked about.
const ALWAYS_OPEN: [OpenValue; 17] = [
    OpenValue::CompilerKnowledge,
    OpenValue::Fortification,
    OpenValue::Address,
    OpenValue::Clock,
    OpenValue::Nan,
    OpenValue::Signal,
    OpenValue::Jump,
    OpenValue::FloatEnvironment,
    OpenValue::Thread,
    OpenValue::Literal,
    OpenValue::Promise,
    OpenValue::Assembly,
    OpenValue::Padding,
    OpenValue::Unsanitized,
    OpenValue::Rounding,
    OpenValue::Section,
    OpenValue::Sequence,
];

/// What is open only if a compiler answers a call of the library itself.
const OPEN_IF_BUILT_IN: [OpenValue; 4] = [
    OpenValue::Redefinition,
    OpenValue::ComparisonResult,
    OpenValue::Libm,
    OpenValue::Errno,
];

impl Suspicion<'_> {
    /// Why a program that behaves differently may do so. `of` is what is accused.
    pub(super) fn is_open(
        &self,
        openness: &Openness,
        of: ProgramRole,
    ) -> Result<Option<Conclusion>> {
        let doubt = |value| {
            let line = openness.line_of(value)?;
            Some(Doubt::Open { value, line })
        };
        if self.judge.config.is_of_two_conventions()
            && let Some(doubt) = doubt(OpenValue::VectorPassing)
        {
            return Ok(Some(doubt.into()));
        }
        // A program of our own is written so that nothing in it is open, whatever it looks like.
        if self.expected.is_predicted() {
            return Ok(None);
        }
        let certain = ALWAYS_OPEN.into_iter().find_map(doubt);
        let certain = certain.or_else(|| self.undeclared(openness));
        let certain = certain.or_else(|| self.number_end(openness));
        let certain = certain.or_else(|| self.rounding(openness));
        let certain = certain.or_else(|| self.exit_status(openness));
        if let Some(doubt) = certain.or_else(|| self.sign_of_nan(openness)) {
            return Ok(Some(doubt.into()));
        }
        // A config that passes the seed draws the same numbers for the variant.
        if of == ProgramRole::Seed
            && let Some(doubt) = doubt(OpenValue::Random)
        {
            return Ok(Some(doubt.into()));
        }
        if let Some(doubt) = OPEN_IF_BUILT_IN.into_iter().find_map(doubt)
            && !self.is_seen_without_builtins(openness)?
        {
            return Ok(Some(doubt.into()));
        }
        if self.may_be_fortified() && self.judge_with(self.text, &[NO_FORTIFICATION])?.is_same() {
            let (value, line) = (OpenValue::Fortification, 1);
            return Ok(Some(Doubt::Open { value, line }.into()));
        }
        if let Some(doubt) = self.function_name(openness)? {
            return Ok(Some(doubt.into()));
        }
        self.macros(openness)
    }

    /// Compilers of different families write the name of a function differently, which shows where
    /// an assertion fails. Asked is whether the failure goes away if they do not.
    fn function_name(&self, openness: &Openness) -> Result<Option<Doubt>> {
        let family = self.judge.config.compiler.family;
        let Some(line) = openness
            .function_name
            .filter(|_| family != self.lead.compiler.family)
        else {
            return Ok(None);
        };
        let seed = &self.judge.stage.seed.source;
        let is_explained = self.knows_flags()
            && self.by_lead().judge_with(seed, &[PLAIN_NAMES])?.is_same()
            && self.judge_with(self.text, &[PLAIN_NAMES])?.is_same();
        let value = OpenValue::FunctionName;
        Ok(is_explained.then_some(Doubt::Open { value, line }))
    }

    /// A function of the library that the program does not declare has its right type only
    /// where the compiler knows it.
    fn undeclared(&self, openness: &Openness) -> Option<Doubt> {
        let value = OpenValue::Undeclared;
        let line = openness.line_of(value)?;
        let forgets =
            |flag: Cow<'_, str>| flag.starts_with("-fno-builtin") || flag == "-ffreestanding";
        let is_forgotten = self.flags().any(forgets);
        is_forgotten.then_some(Doubt::Open { value, line })
    }

    /// Compilers divide some texts of C90 into other tokens.
    fn number_end(&self, openness: &Openness) -> Option<Doubt> {
        let line = openness.signed_number?;
        let flags: Vec<Cow<'_, str>> = self.flags().collect();
        let value = OpenValue::NumberEnd;
        is_strict_c90(flags.iter().map(Cow::as_ref)).then_some(Doubt::Open { value, line })
    }

    /// Before C99 a `main` that ends without `return` leaves the exit status open.
    fn exit_status(&self, openness: &Openness) -> Option<Doubt> {
        let line = openness.end_of_main?;
        let flags: Vec<Cow<'_, str>> = self.flags().collect();
        let behaviours = |of: &[Behaviour]| of.iter().map(regular).collect::<Vec<Behaviour>>();
        let is_all =
            behaviours(self.expected.behaviours()) == behaviours(self.outcome.behaviours());
        let value = OpenValue::ExitStatus;
        (is_all && is_c90(flags.iter().map(Cow::as_ref))).then_some(Doubt::Open { value, line })
    }

    /// The flags of the config and those of the seed.
    fn flags(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let own = self.judge.stage.flags.iter();
        let own = own.map(|flag| flag.to_string_lossy());
        self.judge.config.flags.iter().map(Cow::from).chain(own)
    }

    /// Whether checks of the C library can be what the program fails by: they call
    /// `abort`. Some distributions' compilers add them without being asked.
    fn may_be_fortified(&self) -> bool {
        let is_abort = |run: &Behaviour| run.ending == Ending::Signalled(libc::SIGABRT);
        let asks = || self.flags().any(|flag| asks_for_fortification(&flag));
        self.knows_flags() && (self.outcome.behaviours().iter().any(is_abort) || asks())
    }

    /// Why a program may be rejected that others take: what the compiler knows, or a macro
    /// that means something else to it, decides whether a function is called that is
    /// defined nowhere.
    pub(super) fn may_be_rejected(&self, openness: &Openness) -> Result<Option<Conclusion>> {
        if self.verdict.signature.starts_with(NOT_INLINED) {
            return Ok(Some(Doubt::NotInlined.into()));
        }
        // What a compiler is installed with is not for it to say.
        let signature = &self.verdict.signature;
        if NO_HEADER.iter().any(|said| signature.contains(said)) {
            return Ok(Some(Doubt::NoHeader.into()));
        }
        if self.expected.is_predicted() {
            return Ok(None);
        }
        let value = OpenValue::CompilerKnowledge;
        let known = openness.line_of(value);
        let known = known.map(|line| Doubt::Open { value, line });
        let known = known.or_else(|| self.undeclared(openness));
        if let Some(doubt) = known.or_else(|| self.number_end(openness)) {
            return Ok(Some(doubt.into()));
        }
        self.macros(openness)
    }

    /// What the failure is kept as, once it is believed.
    pub(super) fn standing(&self, openness: &Openness) -> Result<Standing> {
        if self.expected.is_predicted() {
            return Ok(Standing::Confirmed);
        }
        let rules = [
            (openness.punning, AliasRule::Types, NO_STRICT_ALIASING),
            (openness.restrict, AliasRule::Restrict, NO_RESTRICT),
        ];
        for (line, rule, flags) in rules {
            if let Some(line) = line
                && self.verdict.kind.is_of_a_run()
                && self.knows_flags()
                && self.judge_with(self.text, flags)?.is_same()
            {
                return Ok(Standing::PossibleAliasing { line, rule });
            }
        }
        let of_vector = self.of_vector(openness)?;
        Ok(of_vector.map_or(Standing::Confirmed, |reason| Standing::Unchecked { reason }))
    }

    /// Sanitizers look at numbers one by one, not at the lanes of vectors.
    fn of_vector(&self, openness: &Openness) -> Result<Option<Unchecked>> {
        if !self.verdict.kind.is_of_a_run() || self.expected.is_predicted() {
            return Ok(None);
        }
        let mut found = openness.unchecked_vector;
        if let Some(line) = openness.vector_overflow.filter(|_| found.is_none())
            && self.knows_flags()
            && self.judge_with(self.text, &[WRAPPING])?.is_same()
        {
            found = Some(line);
        }
        Ok(found.map(|line| Unchecked::Vector { line }))
    }

    /// The verdict on a text under the same config with further flags, which come after
    /// those of the seed.
    pub(super) fn judge_with(&self, text: &[u8], flags: &[&str]) -> Result<Verdict> {
        let stage = self.judge.stage;
        let own = stage.flags.iter().cloned();
        let stage = Stage {
            seed: stage.seed,
            flags: own.chain(flags.iter().map(OsString::from)).collect(),
            records: None,
        };
        let judge = Judge {
            stage: &stage,
            purpose: Some(Purpose::Confirm),
            ..self.judge
        };
        self.ask(&judge, text)
    }

    /// The same question to the config whose build defines what a seed does.
    fn by_lead(&self) -> Suspicion<'_> {
        Suspicion {
            judge: Judge {
                config: self.lead,
                ..self.judge
            },
            ..*self
        }
    }

    /// Whether the compiler has the options of gcc and clang.
    pub(super) fn knows_flags(&self) -> bool {
        let family = self.judge.config.compiler.family;
        matches!(family, Family::Gcc | Family::Clang)
    }

    fn rounding(&self, openness: &Openness) -> Option<Doubt> {
        let config = self.judge.config;
        let own = self.judge.stage.seed.flags.iter();
        let own = own.filter_map(|flag| flag.to_str());
        let others = config.second.iter().flat_map(|second| &second.flags);
        let flags = config.flags.iter().chain(others);
        let flags = flags.map(String::as_str).chain(own);
        let has_sse = config.compiler.family == Family::Clang;
        let line = match FloatFreedom::of_flags(flags, !has_sse) {
            FloatFreedom::None => openness.floats.halves,
            FloatFreedom::Contraction => openness.floats.fuses,
            FloatFreedom::Any => openness.floats.computes,
        };
        line.map(|line| Doubt::Open {
            value: OpenValue::Rounding,
            line,
        })
    }

    /// Whether outputs differ in nothing but signs of `nan`.
    fn sign_of_nan(&self, openness: &Openness) -> Option<Doubt> {
        let is_equal = {
            let expected = self.expected.behaviours().iter().map(unsigned);
            let actual = self.outcome.behaviours().iter().map(unsigned);
            expected.eq(actual)
        };
        is_equal.then(|| Doubt::Open {
            value: OpenValue::Nan,
            line: openness.floats.computes.unwrap_or(1),
        })
    }

    /// Whether the failure is the same if the library answers all calls, and so is what
    /// the text should do: gcc answers some of them even without optimisation.
    fn is_seen_without_builtins(&self, openness: &Openness) -> Result<bool> {
        if openness.names_builtins || !self.knows_flags() {
            return Ok(false);
        }
        Ok(self
            .by_lead()
            .judge_with(self.text, &[NO_BUILTIN])?
            .is_same()
            && self.judge_with(self.text, &[NO_BUILTIN])? == *self.verdict)
    }

    /// Whether macros make another program of the seed under this config.
    fn macros(&self, openness: &Openness) -> Result<Option<Conclusion>> {
        let config = self.judge.config;
        let value = OpenValue::Macro;
        if let Some(groups) = &openness.groups
            && let [Some(here), Some(there)] = [config, self.lead]
                .map(|config| self.preprocessed(config, &groups.marked))
                .into_iter()
                .collect::<Result<Vec<_>>>()?
                .as_slice()
            && ConditionalGroups::seen(here) != ConditionalGroups::seen(there)
        {
            let line = groups.line;
            return Ok(Some(Doubt::Open { value, line }.into()));
        }
        if let Some(line) = openness.greatest_alignment
            && self.differ_on(GREATEST_ALIGNMENT.as_bytes())?
        {
            let value = OpenValue::Alignment;
            return Ok(Some(Doubt::Open { value, line }.into()));
        }
        let mut named = openness.line_of(value);
        if let Some(reserved) = openness.reserved.as_ref().filter(|_| named.is_none())
            && self.differ_on(&reserved.listing)?
        {
            named = Some(reserved.line);
        }
        let Some(line) = named else {
            return Ok(None);
        };
        // Of the variant, what is put in differs between compilers, too.
        let seed = &self.judge.stage.seed.source;
        let Some(under) = self.preprocessed(config, seed)? else {
            return Ok(Some(Conclusion::Unchecked(Unchecked::NotPreprocessed)));
        };
        for other in [&self.plain(), self.lead] {
            if self.preprocessed(other, seed)?.as_ref() != Some(&under) {
                return Ok(Some(Doubt::Open { value, line }.into()));
            }
        }
        Ok(None)
    }

    /// Whether the accused config makes something else of a text of names than it does without
    /// optimisation, or than the lead does.
    fn differ_on(&self, names: &[u8]) -> Result<bool> {
        let Some(here) = self.preprocessed(self.judge.config, names)? else {
            return Ok(false);
        };
        for other in [&self.plain(), self.lead] {
            if self
                .preprocessed(other, names)?
                .is_some_and(|there| there != here)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The accused compiler without optimisation and further flags.
    fn plain(&self) -> Config {
        Config::new(self.judge.config.compiler.clone(), &["-O0"])
    }

    fn preprocessed(&self, config: &Config, text: &[u8]) -> Result<Option<Vec<u8>>> {
        let Judge { lab, stage, .. } = self.judge;
        let way = Way::of(config, self.judge.patience).counted_as(Purpose::Confirm);
        lab.own_text(stage, text, &way)
    }
}

/// A behaviour without its exit status.
fn regular(behaviour: &Behaviour) -> Behaviour {
    let ending = match behaviour.ending {
        Ending::Exited(_) => Ending::Exited(0),
        other => other,
    };
    Behaviour {
        ending,
        ..behaviour.clone()
    }
}

/// A behaviour in which every NaN is a positive one.
fn unsigned(behaviour: &Behaviour) -> Behaviour {
    let positive = |text: &[u8]| {
        let mut kept = Vec::with_capacity(text.len());
        for (at, byte) in text.iter().enumerate() {
            let is_sign = [&b"-nan"[..], b"-NAN"]
                .iter()
                .any(|nan| text[at..].starts_with(nan));
            kept.extend((!is_sign).then_some(*byte));
        }
        kept
    };
    Behaviour {
        ending: behaviour.ending,
        stdout: positive(&behaviour.stdout),
        stderr: positive(&behaviour.stderr),
    }
}
