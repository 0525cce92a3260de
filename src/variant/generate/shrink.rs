//! Making a program small that shows something, as trees.
//!
//! Every candidate is run by the evaluator first: it is defined, and what it must print is
//! known, or it is no candidate. So no sanitizer is needed, and no compiler is asked about
//! programs that mean nothing. Statements are left out by delta debugging; expressions are
//! frozen to the value they have, or replaced by one of their operands.

use super::driver::FinishedText;
use super::edit::{with_expr, with_statements};
use super::request::GenerateRequest;
use super::tree::{ProgramForm, ProgramTree};
use super::{GeneratedProgram, GenerationStats, generate_tree};
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::stmt::{Part, Stmt};
use crate::code::types::IntKind;
use crate::code::unit::FunctionDefinition;
use crate::code::value::Value;
use crate::variant::delta::minimise;
use anyhow::Result;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Whether a program shows what is looked for.
type Shows<'t> = dyn Fn(&GeneratedProgram) -> Result<bool> + Sync + 't;

/// A place in a program: the number of a function and the path in its body.
type TreePlace = (usize, Vec<u32>);

/// A program that was made small.
#[derive(Clone, Debug)]
pub struct SmallProgram {
    pub program: GeneratedProgram,
    /// How many programs were tried on what is looked for.
    pub tests: usize,
}

/// Makes the program of a number as small as it can be while it shows something. `None` if it
/// does not show it at all.
pub fn shrink(
    request: &GenerateRequest,
    number: u64,
    shows: &Shows<'_>,
    should_stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<SmallProgram>> {
    let tree = generate_tree(request, number);
    let shrinker = TreeShrinker {
        shows,
        should_stop,
        tests: AtomicUsize::new(0),
    };
    if !shrinker.shows(&tree)? {
        return Ok(None);
    }
    let tree = shrinker.shrink(tree)?;
    let tests = shrinker.tests.into_inner();
    Ok(tree.predicted().map(|text| SmallProgram {
        program: as_program(text),
        tests,
    }))
}

fn as_program(finished: FinishedText) -> GeneratedProgram {
    GeneratedProgram {
        text: finished.text,
        output: finished.output,
        stats: GenerationStats::default(),
    }
}

struct TreeShrinker<'t> {
    shows: &'t Shows<'t>,
    should_stop: &'t (dyn Fn() -> bool + Sync),
    tests: AtomicUsize,
}

impl TreeShrinker<'_> {
    fn shows(&self, tree: &ProgramTree) -> Result<bool> {
        let Some(text) = tree.predicted() else {
            return Ok(false);
        };
        self.tests.fetch_add(1, Ordering::Relaxed);
        (self.shows)(&as_program(text))
    }

    fn shrink(&self, mut tree: ProgramTree) -> Result<ProgramTree> {
        loop {
            let before = tree.size();
            tree = self.fewer_tests(tree)?;
            tree = self.one_row(tree)?;
            tree = self.fewer_statements(tree)?;
            tree = self.plain(tree)?;
            tree = self.simpler_statements(tree)?;
            tree = self.simpler_expressions(tree)?;
            if tree.size() >= before || (self.should_stop)() {
                return Ok(tree);
            }
        }
    }

    /// Takes a candidate if it shows what the tree shows.
    fn better(&self, tree: &mut ProgramTree, candidate: ProgramTree) -> Result<bool> {
        let candidate = candidate.pruned();
        let is_better = !(self.should_stop)() && self.shows(&candidate)?;
        if is_better {
            *tree = candidate;
        }
        Ok(is_better)
    }

    fn fewer_tests(&self, tree: ProgramTree) -> Result<ProgramTree> {
        let with = |tests: &[_]| {
            let tests = tests.to_vec();
            ProgramTree {
                tests,
                ..tree.clone()
            }
            .pruned()
        };
        let left = minimise(
            &tree.tests,
            |tests| self.shows(&with(tests)),
            self.should_stop,
        )?;
        Ok(with(&left.items))
    }

    fn one_row(&self, mut tree: ProgramTree) -> Result<ProgramTree> {
        for row in 0..tree.rows {
            if tree.rows > 1 {
                let mut candidate = tree.clone();
                candidate.rows = 1;
                let globals = candidate.globals.iter_mut();
                globals.for_each(|global| global.fill.keep_row(row));
                let extras = candidate.extras.iter_mut();
                extras.for_each(|extra| extra.fill.keep_row(row));
                self.better(&mut tree, candidate)?;
            }
        }
        Ok(tree)
    }

    /// Without table, loop over rows and hash.
    fn plain(&self, mut tree: ProgramTree) -> Result<ProgramTree> {
        if tree.rows == 1 && tree.extras.is_empty() && tree.form != ProgramForm::Plain {
            let mut candidate = tree.clone();
            candidate.form = ProgramForm::Plain;
            self.better(&mut tree, candidate)?;
        }
        Ok(tree)
    }

    fn fewer_statements(&self, tree: ProgramTree) -> Result<ProgramTree> {
        let mut places: Vec<TreePlace> = Vec::new();
        for (at, definition) in editable(&tree) {
            add_items(&definition.function.body, at, &mut Vec::new(), &mut places);
        }
        let with = |kept: &[TreePlace]| {
            let kept: BTreeSet<&TreePlace> = kept.iter().collect();
            let all: BTreeSet<&TreePlace> = places.iter().collect();
            let mut candidate = tree.clone();
            for (at, definition) in candidate.functions.iter_mut().enumerate() {
                let keep = |path: &[u32], stmt: &Stmt| {
                    let place = (at, path.to_vec());
                    (kept.contains(&place) || !all.contains(&place)).then(|| stmt.clone())
                };
                let body = with_statements(&definition.function.body, &mut Vec::new(), &keep);
                definition.function.body = body.into();
            }
            candidate.pruned()
        };
        let left = minimise(&places, |kept| self.shows(&with(kept)), self.should_stop)?;
        Ok(with(&left.items))
    }

    /// Branches replaced by their arms, loops by their bodies.
    fn simpler_statements(&self, mut tree: ProgramTree) -> Result<ProgramTree> {
        let mut next = 0;
        while let Some((function, path)) = statements(&tree).into_iter().nth(next) {
            next += 1;
            let parts = match tree.functions[function].function.body.at(&path) {
                Some(Part::Stmt(stmt)) => inner_statements(stmt),
                _ => continue,
            };
            for inner in parts {
                let mut candidate = tree.clone();
                let definition = &mut candidate.functions[function];
                let replace = |at: &[u32], stmt: &Stmt| {
                    Some(if at == path {
                        inner.clone()
                    } else {
                        stmt.clone()
                    })
                };
                let body = with_statements(&definition.function.body, &mut Vec::new(), &replace);
                definition.function.body = body.into();
                if self.better(&mut tree, candidate)? {
                    next -= 1;
                    break;
                }
            }
            if (self.should_stop)() {
                break;
            }
        }
        Ok(tree)
    }

    /// Expressions frozen to their value, or replaced by an operand, from the outside in.
    fn simpler_expressions(&self, mut tree: ProgramTree) -> Result<ProgramTree> {
        let mut next = 0;
        while let Some(place) = expressions(&tree).into_iter().nth(next) {
            next += 1;
            for simple in simpler(&tree, &place) {
                let Some(candidate) = replaced(&tree, &place, &|_| Some(simple.clone())) else {
                    continue;
                };
                if self.better(&mut tree, candidate)? {
                    next -= 1;
                    break;
                }
            }
            if (self.should_stop)() {
                break;
            }
        }
        Ok(tree)
    }
}

/// The items of blocks, each of which can be left out.
fn add_items(stmt: &Stmt, function: usize, path: &mut Vec<u32>, places: &mut Vec<TreePlace>) {
    for (index, part) in stmt.parts().into_iter().enumerate() {
        if let Part::Stmt(inside) = part {
            path.push(index as u32);
            if matches!(stmt, Stmt::Block(_)) {
                places.push((function, path.clone()));
            }
            add_items(inside, function, path, places);
            path.pop();
        }
    }
}

/// The functions that can be changed, with their numbers: a model goes with its text.
fn editable(tree: &ProgramTree) -> impl Iterator<Item = (usize, &FunctionDefinition)> {
    let functions = tree.functions.iter().enumerate();
    functions.filter(|(_, definition)| definition.text.is_none())
}

/// All statements inside bodies.
fn statements(tree: &ProgramTree) -> Vec<TreePlace> {
    let mut places = Vec::new();
    for (at, definition) in editable(tree) {
        add_items(&definition.function.body, at, &mut Vec::new(), &mut places);
    }
    places
}

/// The statements that may stand for one that has them inside.
fn inner_statements(stmt: &Stmt) -> Vec<Stmt> {
    match stmt {
        Stmt::If { yes, no, .. } => {
            let no = no.iter().map(|no| (**no).clone());
            no.chain([(**yes).clone()]).collect()
        }
        Stmt::While { body, .. } | Stmt::Do { body, .. } | Stmt::Switch { body, .. } => {
            vec![(**body).clone()]
        }
        Stmt::For { start, body, .. } => {
            let start = start.iter().cloned().map(Stmt::Expr);
            vec![Stmt::Block(start.chain([(**body).clone()]).collect())]
        }
        _ => vec![],
    }
}

/// All expressions that are more than a constant or a variable.
fn expressions(tree: &ProgramTree) -> Vec<TreePlace> {
    fn add(expr: &Expr, function: usize, path: &mut Vec<u32>, places: &mut Vec<TreePlace>) {
        if !expr.children().is_empty() {
            places.push((function, path.clone()));
        }
        for (index, child) in expr.children().into_iter().enumerate() {
            path.push(index as u32);
            add(child, function, path, places);
            path.pop();
        }
    }
    fn walk(stmt: &Stmt, function: usize, path: &mut Vec<u32>, places: &mut Vec<TreePlace>) {
        for (index, part) in stmt.parts().into_iter().enumerate() {
            path.push(index as u32);
            match part {
                Part::Stmt(inside) => walk(inside, function, path, places),
                Part::Expr(expr) => add(expr, function, path, places),
            }
            path.pop();
        }
    }
    let mut places = Vec::new();
    for (at, definition) in editable(tree) {
        walk(&definition.function.body, at, &mut Vec::new(), &mut places);
    }
    places
}

fn replaced(
    tree: &ProgramTree,
    (function, path): &TreePlace,
    change: &dyn Fn(&Expr) -> Option<Expr>,
) -> Option<ProgramTree> {
    let mut candidate = tree.clone();
    let definition = &mut candidate.functions[*function];
    let body = with_expr(&definition.function.body, path, change)?;
    definition.function.body = body.into();
    Some(candidate)
}

/// What an expression may be replaced by, the simplest first.
fn simpler(tree: &ProgramTree, place: &TreePlace) -> Vec<Expr> {
    let (function, path) = place;
    let body = &tree.functions[*function].function.body;
    let Some(Part::Expr(expr)) = body.at(path) else {
        return Vec::new();
    };
    let mut simpler = Vec::new();
    let kind = tree.types.type_of(expr).ok().and_then(|ty| ty.int_kind());
    if let Some(kind) = kind {
        simpler.extend(value_at(tree, place, kind).map(Expr::Const));
    }
    let is_value = |child: &&Expr| {
        let ty = tree.types.type_of(child);
        ty.is_ok_and(|ty| ty.int_kind().is_some() == kind.is_some())
    };
    simpler.extend(expr.children().into_iter().filter(is_value).cloned());
    simpler
}

/// The value that an expression has in the first row when it is last evaluated.
fn value_at(tree: &ProgramTree, place: &TreePlace, kind: IntKind) -> Option<Value> {
    let probe = Var {
        name: "probe".into(),
        ty: Type::Int(IntKind::LongLong),
    };
    let noted = |expr: &Expr| {
        let noted = Expr::assign(Expr::Var(probe.clone()), expr.clone());
        Some(noted.cast(kind))
    };
    let carrier = replaced(tree, place, &noted)?.run_with(&probe)?;
    Some(Value::new(kind, carrier.into(), tree.target()))
}
