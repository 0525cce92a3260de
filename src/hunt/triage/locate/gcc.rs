//! gcc: the optimisation flag that must be off, the pass that must be disabled,
//! the single transformation by its debug counter.

use super::{Located, Question};
use crate::variant::delta::minimise;
use anyhow::Result;
use rayon::prelude::*;

pub(super) fn locate(question: &Question<'_>, located: &mut Located) -> Result<()> {
    let flags = optimizers(question)?;
    let off: Vec<String> = flags.iter().map(|flag| format!("-fno-{flag}")).collect();
    if !off.is_empty() && question.is_right_with(&off)? {
        let test = |flags: &[String]| question.is_right_with(flags);
        let needed = minimise(&off, test, question.should_stop)?;
        if !needed.is_minimal {
            return Ok(());
        }
        located.steps.push(format!(
            "With {} the failure disappears; {} flags were enabled.",
            needed.items.join(" "),
            off.len()
        ));
        located.pass = Some(needed.items.join(" ").replace("-fno-", "-f"));
    } else if !off.is_empty() {
        located.steps.push(format!(
            "Disabling all {} optimisation flags does not help.",
            off.len()
        ));
    }
    if let Some(pass) = disabled_pass(question)? {
        located
            .steps
            .push(format!("With -fdisable-{pass} the failure disappears."));
        located.pass.get_or_insert(pass);
    }
    if let Some((counter, count)) = debug_counter(question)? {
        located.steps.push(format!(
            "With -fdbg-cnt={counter}:{} the failure disappears, with {count} it is present.",
            count - 1
        ));
    }
    Ok(())
}

/// The optimisation flags that the accused config enables, without `-f`.
fn optimizers(question: &Question<'_>) -> Result<Vec<String>> {
    let said = question.says(&["-Q", "--help=optimizers"])?;
    Ok(said
        .lines()
        .filter_map(|line| {
            let (flag, state) = line.trim().split_once(char::is_whitespace)?;
            let name = flag.strip_prefix("-f")?;
            let is_plain = !name.starts_with("no-") && !name.contains(['=', '<']);
            (state.trim() == "[enabled]" && is_plain).then(|| name.to_owned())
        })
        .collect())
}

/// The first pass without which the text is compiled correctly.
fn disabled_pass(question: &Question<'_>) -> Result<Option<String>> {
    let said = question.says(&["-fdump-passes"])?;
    let passes: Vec<String> = said
        .lines()
        .filter_map(|line| {
            let (name, state) = line.split_once(':')?;
            let name = name.trim();
            let is_pass = ["tree-", "rtl-", "ipa-"]
                .iter()
                .any(|kind| name.starts_with(kind));
            (state.trim() == "ON" && is_pass && !name.contains('*')).then(|| name.to_owned())
        })
        .collect();
    first(question, &passes, |pass| {
        question.is_right_with(&[format!("-fdisable-{pass}")])
    })
}

/// The debug counter that the failure depends on, and the count that triggers it.
fn debug_counter(question: &Question<'_>) -> Result<Option<(String, u64)>> {
    let said = question.says(&["-fdbg-cnt-list"])?;
    let counters: Vec<String> = said
        .lines()
        .filter_map(|line| {
            let (name, _) = line.trim().split_once(char::is_whitespace)?;
            let is_name = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            (is_name && name != "counter").then(|| name.to_owned())
        })
        .collect();
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
