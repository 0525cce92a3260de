//! Findings on seeds of our own generator: they are made small as trees first. What a smaller
//! tree must print is known, so no sanitizer and no other compiler is asked.

use super::{Case, ReductionEvent, TriageOptions};
use crate::hunt::reduce::lines;
use crate::lab::process::Ending;
use crate::lab::{Behaviour, Expectation, Stage};
use crate::variant::generate::{Feature, GenerateRequest, GeneratedProgram, generate, shrink};
use anyhow::Result;

/// How the comment at the top of such a seed begins.
const TITLE: &[u8] = b"/* mestra generate --seed ";

/// The case of a smaller program that fails in the same way; `None` if the program is not one
/// that this version of the generator makes in campaigns.
pub(super) fn smaller(
    case: &Case,
    stage: &Stage<'_>,
    should_stop: &(dyn Fn() -> bool + Sync),
    options: &TriageOptions<'_>,
) -> Result<Option<Case>> {
    let Some(number) = number(&case.program) else {
        return Ok(None);
    };
    let is_its = |request: &GenerateRequest| {
        let text = generate(request, number).text;
        text.as_bytes() == case.program
    };
    let Some(request) = requests().into_iter().find(is_its) else {
        return Ok(None);
    };
    let (config, patience) = (&case.finding.config, case.patience());
    let shows = |program: &GeneratedProgram| {
        let expected = Expectation::predicted(vec![behaviour(program)]);
        case.fails(stage, config, patience, program.text.as_bytes(), &expected)
    };
    let Some(small) = shrink(&request, number, &shows, should_stop)? else {
        return Ok(None);
    };
    let mut smaller = case.clone();
    smaller.program = small.program.text.clone().into_bytes();
    if !case.finding.expected.is_empty() {
        smaller.finding.expected = vec![behaviour(&small.program)];
    }
    options.observer.observe(&ReductionEvent::ShrunkAsTree {
        lines: lines(&smaller.program),
        tests: small.tests,
    })?;
    Ok(Some(smaller))
}

/// What campaigns ask the generator for.
fn requests() -> [GenerateRequest; 2] {
    let all = GenerateRequest::default();
    let without_vectors = GenerateRequest {
        without: vec![Feature::Vector],
        ..GenerateRequest::default()
    };
    [without_vectors, all]
}

/// The number of the program, as its first line tells.
fn number(text: &[u8]) -> Option<u64> {
    let rest = text.strip_prefix(TITLE)?;
    let digits = rest.split(|byte| !byte.is_ascii_digit()).next()?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

fn behaviour(program: &GeneratedProgram) -> Behaviour {
    Behaviour {
        ending: Ending::Exited(0),
        stdout: program.output.clone().into_bytes(),
        stderr: Vec::new(),
    }
}
