//! gcc: the pass nearest to the fault, the optimisation flags that turn it off, and the
//! single transformation by its debug counter.
//!
//! Many passes mend a failure when they are left out: all those that bring the program into
//! the form that the faulty one then gets wrong. What is wrong behind the faulty pass stays
//! wrong, since those that follow keep the meaning of what they get. So the last of the
//! passes that mend it, in the order in which gcc runs them, is the nearest.

use super::{Located, Question};
use crate::variant::delta::minimise;
use anyhow::Result;
use rayon::prelude::*;

pub(super) fn locate(question: &Question<'_>, located: &mut Located) -> Result<()> {
    let off = optimizers(question)?;
    let pass = nearest_pass(question, &off)?;
    let flags = match &pass {
        Some(pass) => flags_of(question, pass, &off)?,
        None => flags_alone(question, &off)?,
    };
    if (question.should_stop)() {
        // A place that depends on the time there was would be another one next time.
        return Ok(());
    }
    let number = off.len();
    located.steps.extend(pass.iter().map(|pass| {
        format!(
            "With -fdisable-{pass} the failure disappears; leaving out a later pass does not help."
        )
    }));
    located.steps.push(match &flags {
        Some(flags) => {
            let flags = flags.join(" ");
            format!("With {flags} the failure disappears; {number} flags were enabled.")
        }
        None if pass.is_some() => "No optimisation flag turns that pass off and helps.".into(),
        None if number == 0 => "No optimisation flags are enabled.".into(),
        None => format!("Disabling all {number} optimisation flags does not help."),
    });
    let flags = flags.map(|flags| flags.join(" ").replace("-fno-", "-f"));
    located.pass = flags.or(pass.clone());
    let near = pass.as_ref().or(located.pass.as_ref());
    if let Some((counter, count)) = debug_counter(question, near.map(String::as_str))? {
        located.steps.push(format!(
            "With -fdbg-cnt={counter}:{} the failure disappears, with {count} it is present.",
            count - 1
        ));
    }
    Ok(())
}

/// What turns off the optimisation flags that the accused config enables.
fn optimizers(question: &Question<'_>) -> Result<Vec<String>> {
    let said = question.says(&["-Q", "--help=optimizers"])?;
    Ok(said
        .lines()
        .filter_map(|line| {
            let (flag, state) = line.trim().split_once(char::is_whitespace)?;
            let name = flag.strip_prefix("-f")?;
            let is_plain = !name.starts_with("no-") && !name.contains(['=', '<']);
            (state.trim() == "[enabled]" && is_plain).then(|| format!("-fno-{name}"))
        })
        .collect())
}

/// The last pass without which the text is compiled correctly.
fn nearest_pass(question: &Question<'_>, off: &[String]) -> Result<Option<String>> {
    let unoptimised = names(passes(question, &["-O0".into()])?);
    let without_flags = names(passes(question, off)?);
    let passes: Vec<Pass> = passes(question, &[])?
        .into_iter()
        // What runs without optimisation cannot be left out, and what holds others and goes
        // with no flag is only a place for them.
        .filter(|pass| !unoptimised.contains(&pass.name))
        .filter(|pass| !pass.holds_others || !without_flags.contains(&pass.name))
        .collect();
    // Where there is a flag for a pass, several can be left out together.
    let is_free = |pass: &&Pass| !pass.holds_others && !without_flags.contains(&pass.name);
    let free: Vec<String> = names(passes.iter().filter(is_free).cloned());
    let nearest_free = start_of_mending(question, &free)?;
    let is_too_late = |pass: &Pass| {
        let at = free.iter().position(|free| *free == pass.name);
        at.zip(nearest_free).is_some_and(|(at, last)| at > last)
    };
    let mut tried = passes;
    tried.retain(|pass| !is_too_late(pass));
    tried.reverse();
    first(question, &names(tried), |pass| {
        question.is_right_with(&[disabling(pass)])
    })
}

fn disabling(pass: &str) -> String {
    format!("-fdisable-{pass}")
}

/// The number of the last pass such that without it and all that follow the text is compiled
/// correctly, so that none of those that follow mends it alone; `None` if that cannot be told.
fn start_of_mending(question: &Question<'_>, passes: &[String]) -> Result<Option<usize>> {
    let is_right_from = |start: usize| -> Result<bool> {
        let off: Vec<String> = passes[start..].iter().map(|pass| disabling(pass)).collect();
        question.is_right_with(&off)
    };
    if passes.is_empty() || !is_right_from(0)? {
        return Ok(None);
    }
    // Right from `right` on, wrong from `wrong` on.
    let (mut right, mut wrong) = (0, passes.len());
    while wrong - right > 1 {
        if (question.should_stop)() {
            return Ok(None);
        }
        let middle = right + (wrong - right) / 2;
        if is_right_from(middle)? {
            right = middle;
        } else {
            wrong = middle;
        }
    }
    Ok(Some(right))
}

/// A pass that gcc runs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pass {
    name: String,
    /// Whether others are part of it: of `tree-loop` nothing is left without them, while
    /// `tree-vect` only tidies up with another one.
    holds_others: bool,
}

fn names(passes: impl IntoIterator<Item = Pass>) -> Vec<String> {
    passes.into_iter().map(|pass| pass.name).collect()
}

/// The passes that gcc would run with further flags, in order.
fn passes(question: &Question<'_>, flags: &[String]) -> Result<Vec<Pass>> {
    let mut asked: Vec<&str> = flags.iter().map(String::as_str).collect();
    asked.push("-fdump-passes");
    Ok(passes_in(&question.says(&asked)?))
}

/// The passes in what `-fdump-passes` says.
fn passes_in(said: &str) -> Vec<Pass> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = said.lines().filter(|line| line.contains(':')).collect();
    let numbered = lines.iter().enumerate();
    let passes = numbered.filter_map(|(number, line)| {
        let (name, state) = line.split_once(':')?;
        let name = name.trim();
        let kinds = ["tree-", "rtl-", "ipa-"];
        let is_pass = kinds.iter().any(|kind| name.starts_with(kind));
        let next = lines.get(number + 1);
        (is_pass && state.trim() == "ON").then(|| Pass {
            name: name.to_owned(),
            holds_others: next.is_some_and(|next| depth(next) > depth(line)),
        })
    });
    passes.collect()
}

/// The fewest flags that turn a pass off and mend the failure by that.
fn flags_of(question: &Question<'_>, pass: &str, off: &[String]) -> Result<Option<Vec<String>>> {
    let pass = pass.to_owned();
    let is_off = |flags: &[String]| Ok(!names(passes(question, flags)?).contains(&pass));
    if off.is_empty() || !is_off(off)? {
        return Ok(None);
    }
    // Two flags may each want the pass: `-ftree-pre` and `-fcode-hoisting` are one.
    let governing = minimise(off, is_off, question.should_stop)?.items;
    if !question.is_right_with(&governing)? {
        return Ok(None);
    }
    let test = |flags: &[String]| question.is_right_with(flags);
    let needed = minimise(&governing, test, question.should_stop)?;
    Ok(Some(needed.items))
}

/// The flags that mend a failure which no single pass mends: one that runs several times, or
/// one that works for others, such as an analysis of aliases. Of flags that mend it each by
/// itself, the one whose last pass is the last.
fn flags_alone(question: &Question<'_>, off: &[String]) -> Result<Option<Vec<String>>> {
    if off.is_empty() || !question.is_right_with(off)? {
        return Ok(None);
    }
    let mends = |flag: &&String| -> Result<bool> {
        let flag = std::slice::from_ref(*flag);
        Ok(!(question.should_stop)() && question.is_right_with(flag)?)
    };
    let tried = off.par_iter().map(|flag| Ok((flag, mends(&flag)?)));
    let tried: Vec<(&String, bool)> = tried.collect::<Result<_>>()?;
    let all = names(passes(question, &[])?);
    let mut nearest = None;
    for (flag, _) in tried.into_iter().filter(|(_, mends)| *mends) {
        let left = names(passes(question, std::slice::from_ref(flag))?);
        let last = all.iter().rposition(|pass| !left.contains(pass));
        if nearest.is_none_or(|(other, _)| last > other) {
            nearest = Some((last, flag));
        }
    }
    if let Some((_, flag)) = nearest {
        return Ok(Some(vec![flag.clone()]));
    }
    let test = |flags: &[String]| question.is_right_with(flags);
    Ok(Some(minimise(off, test, question.should_stop)?.items))
}

/// The debug counter that the failure depends on, and the count that triggers it. One that is
/// named after the pass tells most, then that of the rules by which expressions are folded.
fn debug_counter(question: &Question<'_>, near: Option<&str>) -> Result<Option<(String, u64)>> {
    let said = question.says(&["-fdbg-cnt-list"])?;
    let mut counters: Vec<String> = said
        .lines()
        .filter_map(|line| {
            let (name, _) = line.trim().split_once(char::is_whitespace)?;
            let is_name = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            (is_name && name != "counter").then(|| name.to_owned())
        })
        .collect();
    counters.sort_by_key(|counter| {
        let is_named = near.is_some_and(|near| is_named_after(counter, near));
        (!is_named, counter != "match")
    });
    let limit = |counter: &str, count: u64| format!("-fdbg-cnt={counter}:{count}");
    let found = first(question, &counters, |counter| {
        question.is_right_with(&[limit(counter, 0)])
    })?;
    let Some(counter) = found else {
        return Ok(None);
    };
    // Right with `low`, failing with `high`.
    let (mut low, mut high) = (0_u64, 1_u64);
    while !question.fails_with([limit(&counter, high)])? {
        if high > 1 << 20 || (question.should_stop)() {
            return Ok(None);
        }
        (low, high) = (high, high * 2);
    }
    while high - low > 1 {
        if (question.should_stop)() {
            return Ok(None);
        }
        let middle = low + (high - low) / 2;
        if question.fails_with([limit(&counter, middle)])? {
            high = middle
        } else {
            low = middle
        }
    }
    Ok(Some((counter, high)))
}

/// Whether a counter has the name of a pass or flag, kinds and numbers aside: `vect_loop` that
/// of `tree-vect`, and `ipa_mod_ref` that of `-fipa-modref`.
fn is_named_after(counter: &str, near: &str) -> bool {
    let name = near.trim_start_matches("-f");
    let name = name.split_once('-').map_or(name, |(_, name)| name);
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let name = name.replace('-', "");
    let words: Vec<&str> = counter.split('_').collect();
    let mut starts = (0..words.len()).map(|start| &words[start..]);
    starts.any(|words| (1..=words.len()).any(|count| words[..count].concat() == name))
}

/// The first item, in order, that passes; `None` if time is up.
fn first(
    question: &Question<'_>,
    items: &[String],
    test: impl Fn(&str) -> Result<bool> + Sync,
) -> Result<Option<String>> {
    let test = |item: &String| Ok(!(question.should_stop)() && test(item)?);
    let found = items
        .par_iter()
        .map(|item| test(item).map(|passes| passes.then(|| item.clone())))
        .find_first(|outcome| !matches!(outcome, Ok(None)));
    found.unwrap_or(Ok(None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_told_from_those_that_hold_them() {
        let said = "\
   ipa-opt_local_passes                                :  ON
      *rebuild_cgraph_edges                            :  ON
      tree-early_optimizations                         :  OFF
         tree-ccp1                                     :  ON
         tree-ehcleanup1                               :  OFF
   tree-dce2                                           :  ON
";
        let passes = passes_in(said).into_iter();
        let told: Vec<_> = passes.map(|pass| (pass.name, pass.holds_others)).collect();
        let expected = [
            ("ipa-opt_local_passes", true),
            ("tree-ccp1", false),
            ("tree-dce2", false),
        ];
        assert_eq!(told, expected.map(|(name, holds)| (name.to_owned(), holds)));
    }

    #[test]
    fn counters_are_named_after_passes() {
        for (counter, near) in [
            ("vect_loop", "tree-vect"),
            ("ccp", "tree-ccp1"),
            ("ivopts_loop", "-fivopts"),
            ("ipa_mod_ref_pta", "-fipa-modref"),
        ] {
            assert!(is_named_after(counter, near), "{counter} {near}");
        }
        assert!(!is_named_after("match", "tree-ch2"));
        assert!(!is_named_after("ivopts_loop", "tree-forwprop4"));
    }
}
