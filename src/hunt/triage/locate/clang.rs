//! clang: the pass that causes the failure, by bisecting how many are run.

use super::{Located, Question};
use anyhow::Result;

pub(super) fn locate(question: &Question<'_>, located: &mut Located) -> Result<()> {
    let limit = |count: i64| ["-mllvm".to_owned(), format!("-opt-bisect-limit={count}")];
    if !question.fails_with(limit(-1))? {
        return Ok(());
    }
    if question.fails_with(limit(0))? {
        located.steps.push(
            "With -opt-bisect-limit=0 the failure is still present: no pass that can be skipped \
             causes it."
                .into(),
        );
        return Ok(());
    }
    let (mut low, mut high) = (0_i64, 1_i64);
    while !question.fails_with(limit(high))? {
        if high > 1 << 24 || (question.should_stop)() {
            return Ok(());
        }
        (low, high) = (high, high * 2);
    }
    while high - low > 1 {
        if (question.should_stop)() {
            return Ok(());
        }
        let middle = low + (high - low) / 2;
        if question.fails_with(limit(middle))? {
            high = middle
        } else {
            low = middle
        }
    }
    // A program that fails otherwise in between is not mended there.
    if !question.is_right_with(&limit(low))? {
        return Ok(());
    }
    located.steps.push(format!(
        "With -mllvm -opt-bisect-limit={low} the failure disappears, with {high} it is present."
    ));
    if let Some(pass) = pass_name(question, &limit(high), high)? {
        located.steps.push(format!("Pass number {high} is {pass}."));
        located.pass = Some(pass.split(" on ").next().unwrap_or(&pass).to_owned());
    }
    Ok(())
}

/// What clang calls the pass of this number.
fn pass_name(question: &Question<'_>, flags: &[String], number: i64) -> Result<Option<String>> {
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let said = question.says(&flags)?;
    let mark = format!("running pass ({number}) ");
    Ok(said.lines().find_map(|line| {
        let (_, name) = line.split_once(&mark)?;
        Some(name.trim().to_owned())
    }))
}
