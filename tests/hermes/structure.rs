//! What inserted code is made of: loops that can be counted, arrays indexed by their
//! counters, all operators.

use super::{mutator, source, variants};
use crate::support::csmith;
use mestra::code::expr::Expr;
use mestra::code::stmt::{Part, Stmt};
use mestra::variant::mutation::Change;
use mestra::variant::strategy::Hermes;
use std::collections::BTreeMap;

/// What was seen in the code of many mutations.
#[derive(Debug, Default)]
struct Seen {
    loops: usize,
    /// Loops of which start, condition and step have one variable.
    counted: usize,
    /// Compound assignments by operator.
    compound: BTreeMap<String, usize>,
    /// Sorts of statements and expressions.
    sorts: BTreeMap<&'static str, usize>,
}

impl Seen {
    fn count(&mut self, sort: &'static str) {
        *self.sorts.entry(sort).or_default() += 1;
    }

    fn see(&mut self, part: Part<'_>) {
        match part {
            Part::Stmt(stmt) => {
                self.see_stmt(stmt);
                stmt.parts().into_iter().for_each(|part| self.see(part));
            }
            Part::Expr(expr) => {
                self.see_expr(expr);
                let children = expr.children().into_iter();
                children.for_each(|child| self.see(Part::Expr(child)));
            }
        }
    }

    fn see_stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::For { .. } | Stmt::While { .. } | Stmt::Do { .. } => {
                self.loops += 1;
                self.counted += usize::from(counter(stmt).is_some());
            }
            Stmt::Switch { .. } => self.count("switch"),
            Stmt::Label(_) => self.count("label"),
            Stmt::Declare(declaration) if declaration.init.is_none() => self.count("without init"),
            _ => {}
        }
    }

    fn see_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Compound { op, .. } => *self.compound.entry(format!("{op:?}")).or_default() += 1,
            Expr::AddressOf(_) => self.count("address"),
            Expr::Deref(_) => self.count("dereference"),
            Expr::Null(_) => self.count("null"),
            Expr::Cast { .. } => self.count("cast"),
            Expr::Conditional { .. } => self.count("conditional"),
            Expr::Logical { .. } => self.count("logical"),
            _ => {}
        }
    }
}

/// The variable that start, condition and step of a `for` have in common.
fn counter(stmt: &Stmt) -> Option<&str> {
    let Stmt::For {
        start: Some(Expr::Assign { target, .. }),
        condition: Some(Expr::Binary { left, .. }),
        step: Some(Expr::Step { target: moved, .. } | Expr::Compound { target: moved, .. }),
        ..
    } = stmt
    else {
        return None;
    };
    match &**target {
        Expr::Var(var) if target == left && target == moved => Some(&var.name),
        _ => None,
    }
}

/// Whether a counted loop in the code indexes something by its counter.
fn indexes_by_counter(stmt: &Stmt) -> bool {
    fn indexes(part: Part<'_>, counter: &str) -> bool {
        let parts: Vec<Part<'_>> = match part {
            Part::Stmt(stmt) => stmt.parts(),
            Part::Expr(expr) => {
                if let Expr::Index { index, .. } = expr {
                    let mut is_there = false;
                    index.for_each_var(&mut |var| is_there |= &*var.name == counter);
                    if is_there {
                        return true;
                    }
                }
                expr.children().into_iter().map(Part::Expr).collect()
            }
        };
        parts.into_iter().any(|part| indexes(part, counter))
    }
    let own = counter(stmt).is_some_and(|name| indexes(Part::Stmt(stmt), name));
    own || stmt.parts().into_iter().any(|part| match part {
        Part::Stmt(inner) => indexes_by_counter(inner),
        Part::Expr(_) => false,
    })
}

#[test]
fn loops_are_counted_and_index_arrays_by_their_counters() {
    let directory = tempfile::tempdir().unwrap();
    let hermes = Hermes {
        swarm: true,
        undefined: true,
        ..Hermes::default()
    };
    let mutator = mutator(&["tcc"], 0.3, hermes);
    let (mut live, mut dead) = (Seen::default(), Seen::default());
    let (mut blocks, mut looped, mut indexed) = (0, 0, 0);
    for number in [1, 2, 3, 5, 8] {
        let source = source(&mutator, &csmith(directory.path(), number)).unwrap();
        for variant in variants(&mutator, &source, 16) {
            for mutation in variant.mutations() {
                match &mutation.change {
                    Change::TrueBlock(made) => {
                        let before = live.loops;
                        live.see(Part::Stmt(&made.block));
                        blocks += 1;
                        looped += usize::from(live.loops > before);
                        indexed += usize::from(indexes_by_counter(&made.block));
                    }
                    Change::FalseBlock(made) => dead.see(Part::Stmt(&made.block)),
                    _ => {}
                }
            }
        }
    }
    println!("{blocks} live blocks, {looped} with a loop, {indexed} index by a counter");
    println!("live: {live:?}\ndead: {dead:?}");
    let loops = live.loops + dead.loops;
    let counted = live.counted + dead.counted;
    assert!(
        counted * 10 >= loops * 4,
        "{counted} of {loops} are counted"
    );
    assert!(
        indexed * 10 >= looped * 3,
        "{indexed} of {looped} live blocks with loops"
    );
    for seen in [&live, &dead] {
        let all: usize = seen.compound.values().sum();
        let most = seen.compound.values().max().copied().unwrap_or(0);
        assert!(most * 2 < all, "{:?}", seen.compound);
    }
    for sort in [
        "switch",
        "label",
        "address",
        "dereference",
        "cast",
        "conditional",
    ] {
        assert!(live.sorts.contains_key(sort), "{sort}: {live:?}");
        assert!(dead.sorts.contains_key(sort), "{sort}: {dead:?}");
    }
    assert!(dead.sorts["null"] > 0, "{dead:?}");
}
