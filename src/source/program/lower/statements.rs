//! The statements of one function body.

use super::Lowering;
use super::accesses::Context;
use super::declarations::DeclarationSite;
use super::tree::{NodeId, Tree};
use crate::source::clang::CursorKind;
use crate::source::program::function::HandsOff;
use crate::source::program::ids::{ExprId, FunctionId, ScopeId, Span, StatementId, VariableId};
use crate::source::program::statement::{NoPoint, PartRole, Role, Statement, StatementKind};

/// A function body being lowered.
pub(super) struct Body<'l, 'u, 's> {
    pub(super) lowering: &'l mut Lowering<'u, 's>,
    pub(super) tree: &'l Tree<'u>,
    pub(super) hands_off: &'l mut Vec<HandsOff>,
    /// `None` while file-scope initialisers are lowered.
    function: Option<FunctionId>,
    /// Used as the position of text that is not in the main file.
    pub(super) fallback_span: Span,
    /// How many statement expressions we are inside of.
    expression_depth: usize,
    /// The innermost of them.
    pub(super) enclosing: Option<ExprId>,
}

/// Whether a statement's text ends where clang says, or with a semicolon behind that.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StatementEnd {
    Semicolon,
    /// Its extent as it is, which must end with this byte.
    Byte(u8),
    /// Where its last sub-statement ends.
    LastChild,
}

impl<'l, 'u, 's> Body<'l, 'u, 's> {
    pub(super) fn new(
        lowering: &'l mut Lowering<'u, 's>,
        tree: &'l Tree<'u>,
        function: Option<FunctionId>,
        hands_off: &'l mut Vec<HandsOff>,
    ) -> Body<'l, 'u, 's> {
        let start = lowering.reached;
        Body {
            lowering,
            tree,
            hands_off,
            function,
            fallback_span: Span::new(start, start),
            expression_depth: 0,
            enclosing: None,
        }
    }

    pub(super) fn span_of(&self, node: NodeId) -> Span {
        let extent = self.lowering.text.extent(self.tree.cursor(node));
        extent.map_or(self.fallback_span, |extent| extent.span)
    }

    /// Lowers the statement at `node` with everything in it; returns its number.
    pub(super) fn statement(
        &mut self,
        node: NodeId,
        parent: Option<StatementId>,
        role: Role,
        scope: ScopeId,
    ) -> StatementId {
        let id = StatementId::new(self.lowering.statements.len());
        let extent = self.lowering.text.extent(self.tree.cursor(node));
        let span = extent.map_or(self.fallback_span, |extent| extent.span);
        self.lowering.statements.push(Statement {
            kind: StatementKind::Null,
            span,
            function: self.function(),
            scope,
            parent,
            role,
            children: Vec::new(),
            parts: Vec::new(),
            // Decided when the whole body is known.
            insertion: Err(if extent.is_none() {
                NoPoint::InInclude
            } else {
                NoPoint::Unclear
            }),
            end_is_known: false,
            has_literal: false,
        });
        let outer_fallback = self.fallback_span;
        self.fallback_span = Span::new(span.start, span.start);
        if role == Role::InExpression {
            self.expression_depth += 1;
        }

        let (kind, ending) = self.inside(node, id, role, scope);
        self.own(id).kind = kind;
        let ends_here = extent.is_some_and(|extent| extent.ends_here);
        self.find_end(id, ending, ends_here);

        if role == Role::InExpression {
            self.expression_depth -= 1;
        }
        self.fallback_span = outer_fallback;
        id
    }

    fn function(&self) -> FunctionId {
        self.function.expect("statements stand in functions")
    }

    pub(super) fn site(&self, statement: StatementId, scope: ScopeId) -> DeclarationSite {
        DeclarationSite {
            scope,
            function: self.function(),
            statement,
        }
    }

    pub(super) fn own(&mut self, id: StatementId) -> &mut Statement {
        &mut self.lowering.statements[id.index()]
    }

    fn child(
        &mut self,
        node: NodeId,
        parent: StatementId,
        role: Role,
        scope: ScopeId,
    ) -> StatementId {
        let child = self.statement(node, Some(parent), role, scope);
        self.own(parent).children.push(child);
        child
    }

    /// Lowers what is inside a statement and tells what it is.
    fn inside(
        &mut self,
        node: NodeId,
        id: StatementId,
        role: Role,
        scope: ScopeId,
    ) -> (StatementKind, StatementEnd) {
        let tree = self.tree;
        let inner: Vec<NodeId> = tree
            .children(node)
            .filter(|&child| tree.kind(child).is_statement())
            .collect();
        match (tree.kind(node), inner.as_slice()) {
            (CursorKind::Compound, items) => {
                // A function's parameters and its outermost block share a scope.
                let inside = match role {
                    Role::FunctionBody => scope,
                    _ => self.lowering.new_scope(scope),
                };
                for &item in items {
                    self.child(item, id, Role::Item, inside);
                }
                (StatementKind::Compound, StatementEnd::Byte(b'}'))
            }
            (CursorKind::If, &[condition, then, ref otherwise @ ..]) => {
                self.add_part(condition, PartRole::Condition, id, scope);
                let then = self.child(then, id, Role::Then, scope);
                let otherwise = otherwise
                    .first()
                    .map(|&o| self.child(o, id, Role::Else, scope));
                (
                    StatementKind::If { then, otherwise },
                    StatementEnd::LastChild,
                )
            }
            (CursorKind::While, &[condition, body]) => {
                self.add_part(condition, PartRole::Condition, id, scope);
                let body = self.child(body, id, Role::LoopBody, scope);
                (StatementKind::While { body }, StatementEnd::LastChild)
            }
            (CursorKind::Do, &[body, condition]) => {
                let body = self.child(body, id, Role::LoopBody, scope);
                self.add_part(condition, PartRole::Condition, id, scope);
                (StatementKind::Do { body }, StatementEnd::Semicolon)
            }
            (CursorKind::Switch, &[condition, body]) => {
                self.add_part(condition, PartRole::Condition, id, scope);
                let body = self.child(body, id, Role::SwitchBody, scope);
                (StatementKind::Switch { body }, StatementEnd::LastChild)
            }
            (CursorKind::For, &[ref header @ .., body]) => {
                let inside = self.lowering.new_scope(scope);
                let variables = self.for_header(header, id, inside);
                let body = self.child(body, id, Role::LoopBody, inside);
                (
                    StatementKind::For { body, variables },
                    StatementEnd::LastChild,
                )
            }
            (CursorKind::Label, inner) => {
                self.note_jump();
                let name = tree.cursor(node).spelling();
                let inner = inner
                    .last()
                    .map(|&i| self.child(i, id, Role::Labelled, scope));
                (
                    StatementKind::Label { name, inner },
                    StatementEnd::LastChild,
                )
            }
            (CursorKind::Case, &[ref values @ .., inner]) => {
                for &value in values {
                    self.add_part(value, PartRole::CaseValue, id, scope);
                }
                let inner = Some(self.child(inner, id, Role::Labelled, scope));
                (StatementKind::Case { inner }, StatementEnd::LastChild)
            }
            (CursorKind::Default, inner) => {
                let inner = inner
                    .last()
                    .map(|&i| self.child(i, id, Role::Labelled, scope));
                (StatementKind::Default { inner }, StatementEnd::LastChild)
            }
            (CursorKind::Goto, _) => {
                self.note_jump();
                let mut labels = tree.children(node);
                let label = labels.find(|&child| tree.kind(child) == CursorKind::LabelReference);
                let label = label.map_or_else(String::new, |l| tree.cursor(l).spelling());
                (
                    StatementKind::Goto {
                        label,
                        target: None,
                    },
                    StatementEnd::Semicolon,
                )
            }
            (CursorKind::IndirectGoto, values) => {
                self.hands_off.push(HandsOff::ComputedGoto);
                self.add_parts(values, id, scope);
                (StatementKind::ComputedGoto, StatementEnd::Semicolon)
            }
            (CursorKind::Break, _) => {
                self.note_jump();
                (StatementKind::Break, StatementEnd::Semicolon)
            }
            (CursorKind::Continue, _) => {
                self.note_jump();
                (StatementKind::Continue, StatementEnd::Semicolon)
            }
            (CursorKind::Return, values) => {
                self.note_jump();
                self.add_parts(values, id, scope);
                (StatementKind::Return, StatementEnd::Semicolon)
            }
            (CursorKind::Asm, operands) => {
                self.hands_off.push(HandsOff::InlineAsm);
                self.add_parts(operands, id, scope);
                (StatementKind::Asm, StatementEnd::Semicolon)
            }
            (CursorKind::Null, _) => (StatementKind::Null, StatementEnd::Byte(b';')),
            (CursorKind::Declaration, _) => {
                let variables = self.declarators(node, id, scope);
                (
                    StatementKind::Declaration { variables },
                    StatementEnd::Byte(b';'),
                )
            }
            (kind, _) if kind.is_expression() => {
                self.add_part(node, PartRole::Value, id, scope);
                (StatementKind::Expression, StatementEnd::Semicolon)
            }
            (CursorKind::OtherStatement, &[only]) => {
                let inner = self.child(only, id, Role::Labelled, scope);
                (StatementKind::Attributed { inner }, StatementEnd::LastChild)
            }
            (_, others) => {
                self.hands_off.push(HandsOff::UnknownStatement);
                for &other in others {
                    self.child(other, id, Role::Labelled, scope);
                }
                (StatementKind::Other, StatementEnd::LastChild)
            }
        }
    }

    /// A jump or label inside a statement expression: flow we do not model.
    fn note_jump(&mut self) {
        if self.expression_depth > 0 {
            self.hands_off.push(HandsOff::JumpInExpression);
        }
    }

    fn add_part(&mut self, node: NodeId, role: PartRole, id: StatementId, scope: ScopeId) {
        let part = self.part(node, role, self.site(id, scope), Context::READ);
        self.own(id).parts.push(part);
    }

    fn add_parts(&mut self, nodes: &[NodeId], id: StatementId, scope: ScopeId) {
        for &node in nodes {
            self.add_part(node, PartRole::Value, id, scope);
        }
    }

    /// The clauses of a `for`. clang gives those that are present, in order; the
    /// semicolons in the text tell which they are. Where a macro hides those,
    /// every clause counts as a condition that may not run.
    fn for_header(
        &mut self,
        clauses: &[NodeId],
        id: StatementId,
        scope: ScopeId,
    ) -> Vec<VariableId> {
        let start = self.own(id).span.start;
        let header = self.lowering.text.for_header(start);
        let mut variables = Vec::new();
        for &clause in clauses {
            if self.tree.kind(clause) == CursorKind::Declaration {
                variables.extend(self.declarators(clause, id, scope));
                continue;
            }
            let at = self.span_of(clause).start;
            let (role, context) = match header {
                Some(header) if at < header.first => (PartRole::Init, Context::READ),
                Some(header) if at < header.second => (PartRole::Condition, Context::READ),
                Some(header) if at < header.close => (PartRole::Step, Context::READ),
                _ => (PartRole::Condition, Context::PERHAPS),
            };
            let part = self.part(clause, role, self.site(id, scope), context);
            self.own(id).parts.push(part);
        }
        variables
    }

    /// Finds where the statement's text ends.
    fn find_end(&mut self, id: StatementId, ending: StatementEnd, ends_here: bool) {
        let span = self.own(id).span;
        let text = &self.lowering.text;
        let end = match ending {
            _ if !ends_here => None,
            StatementEnd::Semicolon => text.tokens.semicolon_end(span.end),
            StatementEnd::Byte(byte) => {
                let ends_so = span.end > span.start
                    && text.macro_at(span.end - 1).is_none()
                    && match text.source[..span.end as usize] {
                        [.., last] if last == byte => true,
                        [.., b'%', b'>'] => byte == b'}',
                        _ => false,
                    };
                ends_so.then_some(span.end)
            }
            StatementEnd::LastChild => {
                let last = self.lowering.statements[id.index()].children.last();
                let last = last.map(|last| &self.lowering.statements[last.index()]);
                // A child from an include has no place of its own.
                last.filter(|last| last.end_is_known && last.span.end > span.start)
                    .map(|last| last.span.end)
            }
        };
        let own = self.own(id);
        own.end_is_known = end.is_some();
        if let Some(end) = end {
            own.span.end = end.max(own.span.start);
        }
    }
}
