//! Why a mutation changes nothing, in words, and whether the values seen show it.

use crate::code::eval::Evaluator;
use crate::code::expr::Expr;
use crate::code::stmt::{Part, Stmt};
use crate::lab::words::plural;
use crate::source::operand;
use crate::source::program::{Program, Span, StatementId};
use crate::variant::mutation::{Helper, Mutation, Prover, Reason};
use crate::variant::profile::{Profile, SampledValues};
use crate::variant::synth::View;
use std::collections::BTreeSet;

pub(super) fn of(
    prover: &Prover<'_>,
    program: &Program,
    profile: &Profile,
    mutation: &Mutation,
) -> (String, bool) {
    let prover = &prover.of(mutation);
    let at = mutation.statement();
    let visits = profile.point(at).map_or(0, |point| point.visits);
    let seen = format!("in {}", plural(visits as usize, "visit"));
    let view = prover.view(at);
    let sample = profile.point(at).and_then(|point| point.sample.as_ref());
    let has_rows = sample.is_some_and(|sample| matches!(sample.values, SampledValues::Rows(_)));
    match mutation.change.reason() {
        Reason::Unreached => (
            "control never comes there, with any of the compilers".into(),
            visits == 0,
        ),
        Reason::Holds {
            locals,
            condition,
            truth,
        } => {
            let types = prover.types();
            let world = view.and_then(|view| view.world.with_locals(types, locals));
            let is_shown = world.is_some_and(|world| world.truth(types, condition) == Some(truth));
            (format!("`{condition}` is {truth} {seen}"), is_shown)
        }
        Reason::Restores(block) => {
            let is_shown = view.is_some_and(|view| restores(prover, &view, block));
            let changed = changed(block);
            let what = if changed.is_empty() {
                "changes nothing".into()
            } else {
                format!("leaves {} as before", listed(&changed))
            };
            (format!("the block is defined and {what} {seen}"), is_shown)
        }
        Reason::SameValue {
            operand,
            by,
            original,
            helper,
        } => {
            let text = String::from_utf8_lossy(program.text(operand));
            // Of ranges, equal bounds do not say that values are equal.
            let is_shown = view.filter(|_| has_rows).is_some_and(|view| {
                let found = tree(prover, program, at, operand);
                let functions = helper.map(Helper::by_name).unwrap_or_default();
                let evaluator = Evaluator::new(prover.types()).with_functions(&functions);
                let is_same = |tree: Expr| {
                    let by = with(by, original, &tree);
                    view.world.may_be(evaluator, &by, &tree)
                };
                found.is_some_and(is_same)
            });
            let why = format!("what stands for `{text}` has its value {seen}");
            (why, is_shown)
        }
        Reason::Hint => ("a hint about speed means nothing to a program".into(), true),
        Reason::ByConstruction(why) => (why.into(), true),
        Reason::AsRecorded(why) => (format!("{why} {seen}"), false),
    }
}

/// Whether a block ends and every scalar is then as before.
fn restores(prover: &Prover<'_>, view: &View, block: &Stmt) -> bool {
    let types = prover.types();
    view.world.after(types, block).is_ok_and(|after| {
        let mut kept = view.kept();
        kept.all(|expr| after.agrees_with(&view.world, types, expr))
    })
}

/// The seed's variables that code assigns to.
fn changed(block: &Stmt) -> BTreeSet<String> {
    fn collect(part: Part<'_>, found: &mut BTreeSet<String>) {
        let parts = match part {
            Part::Stmt(stmt) => stmt.parts(),
            Part::Expr(expr) => {
                if let Expr::Assign { target, .. }
                | Expr::Compound { target, .. }
                | Expr::Step { target, .. } = expr
                {
                    found.insert(target.to_string());
                }
                expr.children().into_iter().map(Part::Expr).collect()
            }
        };
        parts.into_iter().for_each(|part| collect(part, found));
    }
    let mut found = BTreeSet::new();
    collect(Part::Stmt(block), &mut found);
    found.retain(|name| !name.contains("mestra_"));
    found
}

fn listed(names: &BTreeSet<String>) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// The tree of an operand of a statement, if it has one that can be evaluated.
fn tree(prover: &Prover<'_>, program: &Program, at: StatementId, span: Span) -> Option<Expr> {
    let operand = operand::find(program, at, span).ok()?;
    prover.vocabulary().tree_of(program, operand.id)
}

/// The expression with a tree in the place of a variable.
fn with(expr: &Expr, name: &str, tree: &Expr) -> Expr {
    match expr {
        Expr::Var(var) if &*var.name == name => tree.clone(),
        _ => {
            let mut expr = expr.clone();
            if let Expr::Call { args, .. } = &mut expr {
                for arg in args {
                    *arg = with(arg, name, tree);
                }
            }
            for operand in expr.operands_mut() {
                *operand = with(operand, name, tree).into();
            }
            expr
        }
    }
}
