//! Findings on seeds of our own generator: they are made small as trees first. What a smaller
//! tree must print is known, so no sanitizer and no other compiler is asked.

use super::{Case, ReductionEvent, TriageOptions};
use crate::hunt::reduce::lines;
use crate::lab::process::Ending;
use crate::lab::{Behaviour, Expectation, Stage};
use crate::variant::generate::{GeneratedProgram, generate_again, shrink};
use anyhow::Result;

/// The case of a smaller program that fails in the same way; `None` if the program is not one
/// that this version of the generator makes.
pub(super) fn smaller(
    case: &Case,
    stage: &Stage<'_>,
    should_stop: &(dyn Fn() -> bool + Sync),
    options: &TriageOptions<'_>,
) -> Result<Option<Case>> {
    let Some((request, number, _)) = generate_again(&case.program) else {
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

fn behaviour(program: &GeneratedProgram) -> Behaviour {
    Behaviour {
        ending: Ending::Exited(0),
        stdout: program.output.clone().into_bytes(),
        stderr: Vec::new(),
    }
}
