//! Reducing a failing text: a reducer over [`Program`](crate::source::program::Program).
//!
//! Passes propose changes (drop a function, a statement, an operand); delta
//! debugging finds as many of them as can be made together while a test still passes.
//! Coarse passes run until they achieve nothing more, so that the fine ones start from
//! a small text; then come those that say the same in another form. What the test checks is
//! not known here.

mod aggregates;
mod copies;
mod declarations;
mod declarators;
mod draft;
mod expressions;
mod formats;
mod functions;
mod globals;
mod inlining;
mod items;
mod layout;
mod numbers;
mod pointers;
mod rows;
mod spelling;
mod statements;
mod syntax;
mod unions;
mod vectors;

use crate::source::clang::Clang;
use crate::source::program::Tokens;
use crate::source::seed::hash_source;
use crate::variant::delta::minimise_by_two;
use crate::variant::observer::Observer;
use anyhow::Result;
use draft::{Draft, Rewrite, size};
use expressions::{Expressions, Simpler};
use globals::ArgumentFate;
use layout::lay_out;
use numbers::ShorterNumber;
use statements::Rest;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Decides whether a text is still interesting. The cheap question is asked for every
/// candidate, the expensive one for the result of a pass; only if that fails, for every
/// candidate of the pass.
pub trait Test: Sync {
    fn seems(&self, text: &[u8]) -> Result<bool>;

    /// For a text that passes the cheap question.
    fn holds(&self, text: &[u8]) -> Result<bool>;
}

/// Reduces texts. Tests run in parallel on the current rayon pool.
pub struct Reducer<'r> {
    pub clang: &'r Clang,
    /// The name and the flags the text is parsed with.
    pub path: &'r Path,
    pub flags: &'r [OsString],
    pub test: &'r dyn Test,
    /// Asked between tests; once it returns true, the smallest text so far is the result.
    pub should_stop: &'r (dyn Fn() -> bool + Sync),
    /// Told after every pass that made the text smaller.
    pub observer: &'r dyn Observer<PassDone>,
}

/// How far a reduction has come after a pass.
#[derive(Clone, Debug)]
pub struct PassDone {
    /// What the pass works on.
    pub pass: String,
    pub lines: usize,
    pub tokens: usize,
    pub tests: usize,
}

/// A reduced text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduction {
    pub text: Vec<u8>,
    /// How many texts were tested.
    pub tests: usize,
    /// Whether no pass can make it smaller; false after an early stop.
    pub is_finished: bool,
}

impl Reducer<'_> {
    /// Reduces a text that passes the test. If its preprocessed form passes too, without
    /// unneeded declarations, the work starts from that. A text that libclang rejects is
    /// returned unchanged.
    pub fn reduce(&self, text: &[u8], preprocessed: Option<&[u8]>) -> Result<Reduction> {
        let mut work = Reducing {
            reducer: self,
            text: text.to_vec(),
            seeming: Mutex::default(),
            holding: Mutex::default(),
            tests: AtomicUsize::new(0),
            is_tidy: false,
            is_stopped: false,
            place: PassPlace::default(),
            barren: BTreeSet::new(),
            has_skipped: false,
        };
        for start in preprocessed.into_iter().chain([text]) {
            if work.start(start)? {
                break;
            }
        }
        work.run()?;
        Ok(Reduction {
            text: work.text,
            tests: work.tests.into_inner(),
            is_finished: !work.is_stopped,
        })
    }
}

/// How many rounds in a row may change the form and not the size.
const MOST_ROUNDS_ALIKE: usize = 4;

/// The longest row of tokens that is deleted for no other reason than that it can be.
const LONGEST_ROW: usize = 6;

/// How often a number is halved.
const MOST_HALVES: usize = 6;

/// A pass of so few tests is made every time.
const CHEAP_PASS: usize = 2;

type Answers = Mutex<HashMap<u64, bool>>;

struct Reducing<'r> {
    reducer: &'r Reducer<'r>,
    /// The smallest text so far.
    text: Vec<u8>,
    /// By the hash of a text: what the test says.
    seeming: Answers,
    holding: Answers,
    tests: AtomicUsize,
    /// Whether candidates are laid out before they are tested.
    is_tidy: bool,
    is_stopped: bool,
    /// Where in the order of all passes the work is.
    place: PassPlace,
    /// The passes that changed nothing when they were last made.
    barren: BTreeSet<PassPlace>,
    /// Whether one of them was left out since.
    has_skipped: bool,
}

/// One of all passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct PassPlace {
    tier: usize,
    /// Which of the tier it is.
    number: usize,
    /// Of a pass that is made for each level of nesting.
    level: usize,
}

impl Reducing<'_> {
    /// Starts with this text, laid out and without unneeded declarations, unless it then
    /// fails the test.
    fn start(&mut self, text: &[u8]) -> Result<bool> {
        let Some(draft) = self.draft(text) else {
            return Ok(false);
        };
        let Some(swept) = draft.with(&items::sweep(&draft)) else {
            return Ok(false);
        };
        let tidy = lay_out(&swept);
        let passes = self.passes(&tidy)?;
        if passes {
            self.text = tidy;
            self.is_tidy = true;
            self.tell("unneeded declarations")?;
        }
        Ok(passes)
    }

    fn draft(&self, text: &[u8]) -> Option<Draft> {
        let reducer = self.reducer;
        Draft::new(reducer.clang, reducer.path, reducer.flags, text).ok()
    }

    fn tell(&self, pass: &str) -> Result<()> {
        self.reducer.observer.observe(&PassDone {
            pass: pass.to_owned(),
            lines: lines(&self.text),
            tokens: size(&self.text),
            tests: self.tests.load(Ordering::Relaxed),
        })
    }

    /// Goes from the coarse to the fine, and back to the coarse whenever something was gained.
    fn run(&mut self) -> Result<()> {
        let tiers = [Self::coarse, Self::fine, Self::other_forms, Self::finest];
        let (mut tier, mut rounds_alike) = (0, 0);
        while tier < tiers.len() && !self.is_stopped {
            let before = self.text.clone();
            self.place = PassPlace {
                tier,
                ..PassPlace::default()
            };
            tiers[tier](self)?;
            let (old, new) = (size(&before), size(&self.text));
            if new > old {
                // Some steps only pay if others follow.
                self.text = before;
                tier += 1;
            } else if new < old {
                (tier, rounds_alike) = (0, 0);
            } else if self.text != before && rounds_alike < MOST_ROUNDS_ALIKE {
                // Another form of the same size may be open to the other passes.
                (tier, rounds_alike) = (0, rounds_alike + 1);
                self.barren.clear();
            } else {
                tier += 1;
            }
            // Nothing is small until every pass has failed on the same text.
            if tier == tiers.len() && std::mem::take(&mut self.has_skipped) {
                self.barren.clear();
                tier = 0;
            }
        }
        self.place.tier = tiers.len();
        self.polish()
    }

    /// Passes that remove a lot at once.
    fn coarse(&mut self) -> Result<()> {
        self.pass("unneeded declarations", items::sweep)?;
        self.pass("functions", functions::drop_each)?;
        self.pass("unneeded declarations", items::sweep)?;
        self.by_level("statements", statements::delete_level, statement_depth)?;
        self.pass("unneeded declarations", items::sweep)?;
        for rest in [Rest::Body, Rest::Else, Rest::Condition] {
            let unwrap = move |draft: &Draft, level| statements::unwrap_level(draft, level, rest);
            self.by_level("bodies", unwrap, statement_depth)?;
        }
        self.pass("unused variables", declarators::drop_unused)?;
        self.pass("declarations", items::drop_each)
    }

    /// Passes over what is left.
    fn fine(&mut self) -> Result<()> {
        for how in [Simpler::Constant("0"), Simpler::Constant("1")] {
            self.expressions(how)?;
        }
        for operand in 0..3 {
            self.expressions(Simpler::Operand(operand))?;
        }
        self.pass("clauses of loops", statements::clauses)?;
        self.pass("constants", declarations::inline_constants)?;
        self.pass("types", declarations::inline_types)?;
        self.pass("initialisers", declarations::drop_initialisers)?;
        self.pass("members and elements", declarations::drop_elements)?;
        self.pass("parameters", functions::drop_parameters)?;
        self.pass("words", declarations::drop_words)
    }

    /// Passes that say the same in another way, which is often shorter and open to the passes
    /// before them.
    fn other_forms(&mut self) -> Result<()> {
        self.pass("output", formats::one_number)?;
        self.pass("unions", unions::to_structs)?;
        self.pass("vectors", vectors::to_arrays)?;
        self.pass("aggregates", aggregates::to_parts)?;
        self.pass("aggregates", aggregates::to_member)?;
        self.pass("aggregates", aggregates::to_element)?;
        self.pass("pointers", pointers::resolve)?;
        self.pass("copies", copies::propagate)?;
        self.pass("copies", copies::forward)?;
        self.pass("inlining", inlining::inline)?;
        self.pass("pointers", pointers::fewer_levels)?;
        for what in [ArgumentFate::Dropped, ArgumentFate::Assigned] {
            self.pass("parameters", |draft| globals::from_parameters(draft, what))?;
        }
        Ok(())
    }

    /// Passes over every token.
    fn finest(&mut self) -> Result<()> {
        for length in (1..=LONGEST_ROW).rev() {
            self.pass("tokens", |draft| rows::delete(draft, length))?;
        }
        Ok(())
    }

    /// What makes the text no smaller, but easier to read.
    fn polish(&mut self) -> Result<()> {
        let [zero, one] = ["0", "1"].map(ShorterNumber::Text);
        let half = [ShorterNumber::Half; MOST_HALVES];
        for how in [zero, one]
            .into_iter()
            .chain(half)
            .chain([ShorterNumber::Decimal])
        {
            self.pass("numbers", |draft| numbers::shorten(draft, how))?;
        }
        Ok(())
    }

    fn expressions(&mut self, how: Simpler) -> Result<()> {
        let simplify =
            move |draft: &Draft, level| Expressions::new(draft).simplify_level(draft, level, how);
        let depth = |draft: &Draft| Expressions::new(draft).depth();
        self.by_level("expressions", simplify, depth)
    }

    /// A pass for each level of nesting, from the outside in.
    fn by_level(
        &mut self,
        name: &str,
        propose: impl Fn(&Draft, usize) -> Vec<Rewrite>,
        depth: impl Fn(&Draft) -> usize,
    ) -> Result<()> {
        let Some(draft) = self.draft(&self.text) else {
            return Ok(());
        };
        self.place.number += 1;
        for level in 0..=depth(&draft) {
            self.place.level = level;
            self.pass_here(name, |draft| propose(draft, level))?;
        }
        self.place.level = 0;
        Ok(())
    }

    /// Makes as many of the proposed changes as the test allows.
    fn pass(&mut self, name: &str, propose: impl FnOnce(&Draft) -> Vec<Rewrite>) -> Result<()> {
        self.place.number += 1;
        self.pass_here(name, propose)
    }

    /// The same, unless it changed nothing the last time: what it would take to see that again is
    /// better spent on the passes that still bring something. It is made again when these end.
    fn pass_here(
        &mut self,
        name: &str,
        propose: impl FnOnce(&Draft) -> Vec<Rewrite>,
    ) -> Result<()> {
        if self.is_stopped {
            return Ok(());
        }
        if self.barren.contains(&self.place) {
            self.has_skipped = true;
            return Ok(());
        }
        let tests = self.tests.load(Ordering::Relaxed);
        let Some(draft) = self.draft(&self.text) else {
            return Ok(());
        };
        let changes = propose(&draft);
        let all: Vec<usize> = (0..changes.len()).collect();
        let changed = |left: &[usize]| {
            let made = all.iter().filter(|at| left.binary_search(at).is_err());
            let text = draft.with(made.map(|at| &changes[*at]))?;
            Some(if self.is_tidy { lay_out(&text) } else { text })
        };
        let seems = |left: &[usize]| changed(left).map_or(Ok(false), |text| self.seems(&text));
        let passes = |left: &[usize]| changed(left).map_or(Ok(false), |text| self.passes(&text));
        let left = minimise_by_two(all.len(), seems, passes, self.reducer.should_stop)?;
        let is_changed = left.items.len() < all.len();
        let text = changed(&left.items).filter(|_| is_changed);
        self.is_stopped = !left.is_minimal;
        if let Some(text) = text {
            self.text = text;
            self.tell(name)?;
        } else if self.tests.load(Ordering::Relaxed) - tests > CHEAP_PASS {
            self.barren.insert(self.place);
        }
        Ok(())
    }

    fn seems(&self, text: &[u8]) -> Result<bool> {
        answer(&self.seeming, text, || {
            self.tests.fetch_add(1, Ordering::Relaxed);
            self.reducer.test.seems(text)
        })
    }

    fn passes(&self, text: &[u8]) -> Result<bool> {
        let holds = || answer(&self.holding, text, || self.reducer.test.holds(text));
        Ok(self.seems(text)? && holds()?)
    }
}

/// The remembered answer for a text, or a new one.
fn answer(known: &Answers, text: &[u8], ask: impl FnOnce() -> Result<bool>) -> Result<bool> {
    let hash = hash_source(text);
    let known = || known.lock().unwrap_or_else(|poison| poison.into_inner());
    if let Some(answer) = known().get(&hash) {
        return Ok(*answer);
    }
    let answer = ask()?;
    known().insert(hash, answer);
    Ok(answer)
}

fn statement_depth(draft: &Draft) -> usize {
    statements::depth(draft)
}

/// The result of another reducer, laid out like ours, if it is smaller than `text`.
pub(crate) fn smaller(text: &[u8], other: &[u8]) -> Option<Vec<u8>> {
    (size(other) < size(text)).then(|| lay_out(other))
}

/// A text with our layout.
pub(crate) fn laid_out(text: &[u8]) -> Vec<u8> {
    lay_out(text)
}

/// How large a text is, as people see it in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextSize {
    pub lines: usize,
    pub tokens: usize,
}

impl TextSize {
    pub fn of(text: &[u8]) -> TextSize {
        let shown = text.trim_ascii_end();
        let breaks = shown.iter().filter(|byte| **byte == b'\n').count();
        TextSize {
            lines: breaks + usize::from(!shown.is_empty()),
            tokens: size(text),
        }
    }
}

/// Whether two texts have the same tokens.
pub(crate) fn are_alike(one: &[u8], other: &[u8]) -> bool {
    fn words(text: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
        let tokens = Tokens::new(text, &[]).starting_at(0).to_vec();
        tokens
            .into_iter()
            .map(|token| text[token.span.range()].to_vec())
    }
    words(one).eq(words(other))
}

/// The number of lines that are not blank.
pub fn lines(text: &[u8]) -> usize {
    let lines = text.split(|byte| *byte == b'\n');
    lines.filter(|line| !line.trim_ascii().is_empty()).count()
}

impl std::fmt::Debug for Reducer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reducer")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::observer::Unobserved;

    /// Takes what is C and a predicate takes.
    struct Takes<F> {
        clang: Clang,
        text: F,
    }

    impl<F: Fn(&str) -> bool + Sync> Test for Takes<F> {
        fn seems(&self, text: &[u8]) -> Result<bool> {
            let is_c = Draft::new(&self.clang, Path::new("test.c"), &[], text).is_ok();
            Ok(is_c && (self.text)(&String::from_utf8_lossy(text)))
        }

        fn holds(&self, _: &[u8]) -> Result<bool> {
            Ok(true)
        }
    }

    /// What a text comes down to.
    fn reduced(text: &str, takes: impl Fn(&str) -> bool + Sync) -> String {
        let test = Takes {
            clang: Clang::load().unwrap(),
            text: takes,
        };
        let reducer = Reducer {
            clang: &test.clang,
            path: Path::new("test.c"),
            flags: &[],
            test: &test,
            should_stop: &|| false,
            observer: &Unobserved,
        };
        let reduction = reducer.reduce(text.as_bytes(), None).unwrap();
        assert!(reduction.is_finished);
        String::from_utf8(reduction.text).unwrap()
    }

    #[test]
    fn a_pass_that_brought_nothing_is_made_again_at_the_end() {
        let text = "int a, b, c, d;\nint main(void)\n{\n    b++;\n    c++;\n    d++;\n    \
                    a = b + 7;\n    return 0;\n}\n";
        // The statements can go once the expression is simple.
        let all = ["b++", "c++", "d++"];
        let takes = |text: &str| {
            let has = |word: &&str| text.contains(word);
            has(&"a = 0") || has(&"a = ") && all.iter().all(has)
        };
        let small = reduced(text, takes);
        assert!(!all.iter().any(|word| small.contains(word)), "{small}");
    }

    #[test]
    fn a_text_is_as_large_as_its_file_shows() {
        for (text, lines, tokens) in [
            ("", 0, 0),
            ("int x;", 1, 3),
            ("int main() { return 0; }\n", 1, 9),
            ("int x;\n\nint y;\n\n", 3, 6),
        ] {
            let size = TextSize::of(text.as_bytes());
            assert_eq!((size.lines, size.tokens), (lines, tokens), "{text:?}");
        }
    }
}
