//! The control-flow graph of a function.
//!
//! A statement contributes a node for the place before it, one for each of its
//! parts, and, if it is a label, one for the place where jumps land. A call that never
//! returns still has an edge to what follows: extra edges are on the safe side for
//! everything computed from the graph.

use super::Program;
use super::function::Definition;
use super::ids::StatementId;
use super::statement::{PartRole, Role, StatementKind};
use std::ops::Range;

/// The graph of one function. Node 0 is where the body begins.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    pub nodes: Vec<FlowNode>,
    /// The node of the place before each statement.
    before: NodeOf,
    /// Where control goes on after each statement.
    after: NodeOf,
}

#[derive(Clone, Debug)]
pub(crate) struct FlowNode {
    pub statement: StatementId,
    pub step: FlowStep,
    pub successors: Vec<u32>,
}

/// What happens at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FlowStep {
    /// The place right before a statement, where code may be inserted.
    Before,
    /// After a label: where jumps land, and where falling through continues.
    Landing,
    /// One part of a statement runs.
    Part(u32),
    /// The function is left.
    Return,
}

impl Flow {
    pub(crate) fn new(program: &Program, definition: &Definition) -> Flow {
        let body = definition.body();
        let mut builder = FlowBuilder {
            program,
            nodes: Vec::new(),
            before: NodeOf::new(&definition.statements),
            landing: NodeOf::new(&definition.statements),
            after: NodeOf::new(&definition.statements),
        };
        for id in definition.statement_ids() {
            if builder.is_in_expression(id) {
                continue;
            }
            let node = builder.node(id, FlowStep::Before);
            builder.before.set(id, node);
            if program.statement(id).kind.is_labelled() {
                let node = builder.node(id, FlowStep::Landing);
                builder.landing.set(id, node);
            }
        }
        let end = builder.node(body, FlowStep::Return);
        builder.statement(
            body,
            end,
            Targets {
                ret: end,
                brk: end,
                cont: end,
            },
        );
        Flow {
            nodes: builder.nodes,
            before: builder.before,
            after: builder.after,
        }
    }

    /// The node of the place before `statement`; `None` inside statement expressions.
    pub(crate) fn before(&self, statement: StatementId) -> Option<usize> {
        self.before.get(statement).map(|node| node as usize)
    }

    /// The node where control goes on once `statement` is done, if it does not jump.
    pub(crate) fn after(&self, statement: StatementId) -> Option<usize> {
        self.after.get(statement).map(|node| node as usize)
    }
}

struct FlowBuilder<'p> {
    program: &'p Program,
    nodes: Vec<FlowNode>,
    before: NodeOf,
    landing: NodeOf,
    after: NodeOf,
}

/// A node for some statements of one function.
#[derive(Clone, Debug)]
struct NodeOf {
    first: u32,
    nodes: Vec<Option<u32>>,
}

impl NodeOf {
    fn new(statements: &Range<u32>) -> NodeOf {
        NodeOf {
            first: statements.start,
            nodes: vec![None; statements.len()],
        }
    }

    fn set(&mut self, statement: StatementId, node: u32) {
        self.nodes[(statement.0 - self.first) as usize] = Some(node);
    }

    fn get(&self, statement: StatementId) -> Option<u32> {
        let index = statement.0.checked_sub(self.first)?;
        *self.nodes.get(index as usize)?
    }

    /// The node of a statement that is known to have one.
    fn of(&self, statement: StatementId) -> u32 {
        self.get(statement)
            .expect("every statement outside expressions has its nodes")
    }
}

/// Where jumps go.
#[derive(Clone, Copy)]
struct Targets {
    ret: u32,
    brk: u32,
    cont: u32,
}

impl FlowBuilder<'_> {
    fn node(&mut self, statement: StatementId, step: FlowStep) -> u32 {
        let id = self.nodes.len() as u32;
        self.nodes.push(FlowNode {
            statement,
            step,
            successors: Vec::new(),
        });
        id
    }

    fn edge(&mut self, from: u32, to: u32) {
        let successors = &mut self.nodes[from as usize].successors;
        if !successors.contains(&to) {
            successors.push(to);
        }
    }

    fn is_in_expression(&self, mut id: StatementId) -> bool {
        loop {
            let statement = self.program.statement(id);
            if statement.role == Role::InExpression {
                return true;
            }
            match statement.parent {
                Some(parent) => id = parent,
                None => return false,
            }
        }
    }

    /// Nodes for the parts of `id` that `wanted` picks, in a row; returns first and last.
    fn parts(&mut self, id: StatementId, wanted: impl Fn(PartRole) -> bool) -> Option<(u32, u32)> {
        let program = self.program;
        let mut chain: Option<(u32, u32)> = None;
        for (index, part) in program.statement(id).parts.iter().enumerate() {
            if !wanted(part.role) {
                continue;
            }
            let node = self.node(id, FlowStep::Part(index as u32));
            chain = Some(match chain {
                None => (node, node),
                Some((first, last)) => {
                    self.edge(last, node);
                    (first, node)
                }
            });
        }
        chain
    }

    /// Adds the edges of `id`, whose `Before` node exists; control goes on at `next`.
    fn statement(&mut self, id: StatementId, next: u32, targets: Targets) {
        let program = self.program;
        let before = self.before.of(id);
        self.after.set(id, next);
        let statement = program.statement(id);
        match &statement.kind {
            StatementKind::Compound => {
                let items = &statement.children;
                let entry = items.first().map_or(next, |first| self.before.of(*first));
                self.edge(before, entry);
                for (index, &item) in items.iter().enumerate() {
                    let after = items
                        .get(index + 1)
                        .map_or(next, |after| self.before.of(*after));
                    self.statement(item, after, targets);
                }
            }
            StatementKind::If { then, otherwise } => {
                let condition = self.run_parts(id, before);
                let then_entry = self.before.of(*then);
                self.edge(condition, then_entry);
                self.statement(*then, next, targets);
                match otherwise {
                    Some(otherwise) => {
                        let entry = self.before.of(*otherwise);
                        self.edge(condition, entry);
                        self.statement(*otherwise, next, targets);
                    }
                    None => self.edge(condition, next),
                }
            }
            StatementKind::Switch { body } => {
                let condition = self.run_parts(id, before);
                let mut cases = Vec::new();
                self.cases_of(*body, &mut cases);
                let is_default = |case: &StatementId| {
                    matches!(program.statement(*case).kind, StatementKind::Default { .. })
                };
                // Without a default, whether every value has a case is not known here.
                if !cases.iter().any(is_default) {
                    self.edge(condition, next);
                }
                for case in cases {
                    let landing = self.landing.of(case);
                    self.edge(condition, landing);
                }
                self.statement(
                    *body,
                    next,
                    Targets {
                        brk: next,
                        ..targets
                    },
                );
            }
            StatementKind::While { body } | StatementKind::Do { body } => {
                let (first, last) = self.condition(id, before);
                let entry = self.before.of(*body);
                let asks_first = matches!(statement.kind, StatementKind::While { .. });
                self.edge(before, if asks_first { first } else { entry });
                self.edge(last, entry);
                self.edge(last, next);
                self.statement(
                    *body,
                    first,
                    Targets {
                        brk: next,
                        cont: first,
                        ..targets
                    },
                );
            }
            StatementKind::For { body, .. } => self.for_loop(id, *body, next, targets),
            StatementKind::Label { inner, .. }
            | StatementKind::Case { inner }
            | StatementKind::Default { inner } => {
                let landing = self.landing.of(id);
                self.edge(before, landing);
                let entry = inner.map_or(next, |inner| self.before.of(inner));
                self.edge(landing, entry);
                if let Some(inner) = *inner {
                    self.statement(inner, next, targets);
                }
            }
            StatementKind::Attributed { inner } => {
                let entry = self.before.of(*inner);
                self.edge(before, entry);
                self.statement(*inner, next, targets);
            }
            StatementKind::Goto { target, .. } => {
                if let Some(target) = target.and_then(|target| self.landing.get(target)) {
                    self.edge(before, target);
                }
            }
            StatementKind::ComputedGoto => {
                let value = self.run_parts(id, before);
                let landings: Vec<u32> = self.landing.nodes.iter().flatten().copied().collect();
                for landing in landings {
                    self.edge(value, landing);
                }
            }
            StatementKind::Break => self.edge(before, targets.brk),
            StatementKind::Continue => self.edge(before, targets.cont),
            StatementKind::Return => {
                let value = self.run_parts(id, before);
                self.edge(value, targets.ret);
            }
            StatementKind::Expression
            | StatementKind::Null
            | StatementKind::Declaration { .. }
            | StatementKind::Asm
            | StatementKind::Other => {
                let last = self.run_parts(id, before);
                self.edge(last, next);
            }
        }
    }

    fn for_loop(&mut self, id: StatementId, body: StatementId, next: u32, targets: Targets) {
        let before = self.before.of(id);
        let entry = self.before.of(body);
        let is_init = |role| {
            matches!(
                role,
                PartRole::Init | PartRole::Declarator(_) | PartRole::OtherDeclaration
            )
        };
        let init = self.parts(id, is_init);
        let condition = self.parts(id, |role| role == PartRole::Condition);
        let step = self.parts(id, |role| role == PartRole::Step);
        let after_init = init.map_or(before, |(first, last)| {
            self.edge(before, first);
            last
        });
        let head = condition.map_or(entry, |(first, _)| first);
        self.edge(after_init, head);
        if let Some((_, last)) = condition {
            self.edge(last, entry);
            self.edge(last, next);
        }
        let again = step.map_or(head, |(first, last)| {
            self.edge(last, head);
            first
        });
        self.statement(
            body,
            again,
            Targets {
                brk: next,
                cont: again,
                ..targets
            },
        );
    }

    /// Runs all parts of `id` after `from`; returns the last node.
    fn run_parts(&mut self, id: StatementId, from: u32) -> u32 {
        match self.parts(id, |_| true) {
            Some((first, last)) => {
                self.edge(from, first);
                last
            }
            None => from,
        }
    }

    /// The nodes of a loop's condition; every `while` has one, but its text may
    /// be hidden from us, and then the place before the loop stands in.
    fn condition(&mut self, id: StatementId, before: u32) -> (u32, u32) {
        self.parts(id, |_| true).unwrap_or((before, before))
    }

    /// The `case` and `default` labels that belong to the switch whose body this is.
    fn cases_of(&self, id: StatementId, found: &mut Vec<StatementId>) {
        let statement = self.program.statement(id);
        match statement.kind {
            StatementKind::Switch { .. } => return,
            StatementKind::Case { .. } | StatementKind::Default { .. } => found.push(id),
            _ => {}
        }
        for &child in &statement.children {
            if self.program.statement(child).role != Role::InExpression {
                self.cases_of(child, found);
            }
        }
    }
}
