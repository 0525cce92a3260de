//! Expressions are not kept as trees: what is kept is which variables they
//! access how, and which functions they call.
//!
//! Operators are read off the seed's text, since libclang names them only from
//! version 17 on. Where the text comes from a macro, the access is `Unknown`.

use super::declarations::DeclarationSite;
use super::statements::Body;
use super::tree::{NodeId, Tree};
use crate::source::clang::CursorKind;
use crate::source::program::function::{Call, HandsOff};
use crate::source::program::ids::Span;
use crate::source::program::statement::{PartRole, Role, StatementPart};
use crate::source::program::types::{Qualified, SeedType};
use crate::source::program::variable::{Access, Use};

/// What the surrounding expression does with the value of a node.
#[derive(Clone, Copy)]
pub(super) struct Context {
    access: Access,
    is_partial: bool,
    is_conditional: bool,
}

impl Context {
    pub(super) const READ: Context = Context {
        access: Access::Read,
        is_partial: false,
        is_conditional: false,
    };
    /// For code whose order or number of runs is not known.
    pub(super) const PERHAPS: Context = Context {
        is_conditional: true,
        ..Context::READ
    };

    /// A new operand: what encloses it decides only whether it runs at all.
    fn operand(self, access: Access) -> Context {
        // Nothing below `sizeof` is evaluated, whatever it looks like.
        let access = match self.access {
            Access::Unevaluated => Access::Unevaluated,
            _ => access,
        };
        Context {
            access,
            is_partial: false,
            is_conditional: self.is_conditional,
        }
    }

    fn partial(self) -> Context {
        Context {
            is_partial: true,
            ..self
        }
    }

    fn conditional(self) -> Context {
        Context {
            is_conditional: true,
            ..self
        }
    }
}

/// An operator with one operand, as far as accesses go.
enum UnaryOperator {
    AddressOf,
    IncrementOrDecrement,
    Other,
    /// Hidden by a macro.
    Unknown,
}

/// An operator with two operands, as far as accesses go.
enum BinaryOperator {
    Assign,
    Logical,
    Other,
    Unknown,
}

impl<'u> Body<'_, 'u, '_> {
    /// Lowers the expression at `node` as one part of a statement.
    pub(super) fn part(
        &mut self,
        node: NodeId,
        role: PartRole,
        place: DeclarationSite,
        context: Context,
    ) -> StatementPart {
        let span = self.span_of(node);
        let (uses, calls) = (self.lowering.uses.len(), self.lowering.calls.len());
        self.expression(node, context, Some(place));
        self.part_since(role, span, uses, calls)
    }

    pub(super) fn part_since(
        &self,
        role: PartRole,
        span: Span,
        first_use: usize,
        first_call: usize,
    ) -> StatementPart {
        StatementPart {
            role,
            span,
            uses: first_use as u32..self.lowering.uses.len() as u32,
            calls: first_call as u32..self.lowering.calls.len() as u32,
        }
    }

    pub(super) fn expression(
        &mut self,
        node: NodeId,
        context: Context,
        place: Option<DeclarationSite>,
    ) {
        let tree = self.tree;
        match tree.kind(node) {
            CursorKind::Literal => {}
            CursorKind::DeclRef => self.reference(node, context),
            CursorKind::Unary => {
                let Some(operand) = tree.expressions(node).next() else {
                    return;
                };
                let inner = match self.unary_operator(node, operand) {
                    UnaryOperator::AddressOf => context.operand(Access::AddressTaken),
                    UnaryOperator::IncrementOrDecrement => context.operand(Access::ReadWrite),
                    UnaryOperator::Other => context.operand(Access::Read),
                    UnaryOperator::Unknown => context.operand(Access::Unknown),
                };
                self.expression(operand, inner, place);
            }
            CursorKind::Binary => {
                let operands: Vec<NodeId> = tree.expressions(node).collect();
                let &[left, right] = operands.as_slice() else {
                    return self.all(node, context.operand(Access::Unknown), place);
                };
                let (left_context, right_context) = match self.binary_operator(left, right) {
                    BinaryOperator::Assign => (
                        context.operand(Access::Write),
                        context.operand(Access::Read),
                    ),
                    BinaryOperator::Logical => (
                        context.operand(Access::Read),
                        context.operand(Access::Read).conditional(),
                    ),
                    BinaryOperator::Other => {
                        (context.operand(Access::Read), context.operand(Access::Read))
                    }
                    BinaryOperator::Unknown => (
                        context.operand(Access::Unknown),
                        context.operand(Access::Read).conditional(),
                    ),
                };
                self.expression(left, left_context, place);
                self.expression(right, right_context, place);
            }
            CursorKind::CompoundAssign => {
                let mut operands = tree.expressions(node);
                if let Some(left) = operands.next() {
                    self.expression(left, context.operand(Access::ReadWrite), place);
                }
                for right in operands {
                    self.expression(right, context.operand(Access::Read), place);
                }
            }
            CursorKind::Conditional => {
                for (index, operand) in tree.expressions(node).enumerate() {
                    let inner = context.operand(Access::Read);
                    let inner = if index == 0 {
                        inner
                    } else {
                        inner.conditional()
                    };
                    self.expression(operand, inner, place);
                }
            }
            CursorKind::Subscript => {
                let context = self.decayed(node, context);
                for operand in tree.expressions(node) {
                    // `a[i]` touches part of an array, but only reads a pointer;
                    // C also has `i[a]`.
                    let inner = if self.is_array(operand) {
                        context.partial()
                    } else {
                        context.operand(Access::Read)
                    };
                    self.expression(operand, inner, place);
                }
            }
            CursorKind::MemberRef => {
                let context = self.decayed(node, context);
                for base in tree.expressions(node) {
                    let inner = if self.is_pointer(base) {
                        context.operand(Access::Read)
                    } else {
                        context.partial()
                    };
                    self.expression(base, inner, place);
                }
            }
            CursorKind::Call => self.call(node, context, place),
            CursorKind::SizeOrAlignOf => {
                if let Some(place) = place {
                    self.lowering.tags_within(place.scope, tree.cursor(node));
                }
                self.all(node, context.operand(Access::Unevaluated), place);
            }
            CursorKind::GenericSelection => {
                // Only one of the associations is evaluated, and never the selector.
                self.all(node, context.operand(Access::Unknown).conditional(), place);
            }
            CursorKind::Paren => self.all(node, context, place),
            CursorKind::Cast | CursorKind::CompoundLiteral | CursorKind::InitList => {
                if let (CursorKind::CompoundLiteral, Some(place)) = (tree.kind(node), place) {
                    let statement = &mut self.lowering.statements[place.statement.index()];
                    statement.has_literal = true;
                }
                self.all(node, context.operand(Access::Read), place);
            }
            CursorKind::AddressOfLabel => self.hands_off.push(HandsOff::ComputedGoto),
            CursorKind::StatementExpression => self.statement_expression(node, place),
            // Implicit conversions, builtins, and what newer standards bring.
            _ => {
                let mut operands = tree.expressions(node);
                match (operands.next(), operands.next()) {
                    (Some(only), None) => self.expression(only, context, place),
                    _ => self.all(node, context.operand(Access::Unknown), place),
                }
            }
        }
    }

    fn all(&mut self, node: NodeId, context: Context, place: Option<DeclarationSite>) {
        for operand in self.tree.expressions(node) {
            self.expression(operand, context, place);
        }
    }

    /// Reading a part that is an array takes its address: `f(s.array)`, a row of a matrix.
    fn decayed(&mut self, node: NodeId, context: Context) -> Context {
        let is_whole = context.access == Access::Read && !context.is_partial;
        match is_whole && self.is_array(node) {
            true => context.operand(Access::AddressTaken),
            false => context,
        }
    }

    fn reference(&mut self, node: NodeId, context: Context) {
        let cursor = self.tree.cursor(node);
        let Some(target) = cursor.referenced() else {
            return;
        };
        if !matches!(target.kind(), CursorKind::Variable | CursorKind::Parameter) {
            return;
        }
        let Some(variable) = self.lowering.variable_referenced(target) else {
            return;
        };
        let held = &self.lowering.variables[variable.index()];
        let decays = context.access == Access::Read
            && !context.is_partial
            && self.lowering.types.types.is_array(held.ty.id);
        let (span, is_in_macro) = match self.lowering.text.offset(cursor) {
            None => (self.fallback_span, true),
            Some(offset) => match self.lowering.text.macro_at(offset) {
                Some(expansion) => (expansion, true),
                None => (Span::new(offset, offset + held.name.len() as u32), false),
            },
        };
        self.lowering.uses.push(Use {
            variable,
            span,
            access: if decays {
                Access::AddressTaken
            } else {
                context.access
            },
            is_partial: context.is_partial,
            is_conditional: context.is_conditional,
            is_in_macro,
        });
    }

    fn call(&mut self, node: NodeId, context: Context, place: Option<DeclarationSite>) {
        let tree = self.tree;
        let mut operands = tree.expressions(node);
        let Some(callee) = operands.next() else {
            return;
        };
        let named = strip(tree, callee);
        let target = (tree.kind(named) == CursorKind::DeclRef)
            .then(|| tree.cursor(named).referenced())
            .flatten()
            .filter(|target| target.kind() == CursorKind::Function);
        let function = target.map(|target| self.lowering.function_referenced(target));
        if function.is_none() {
            self.expression(callee, context.operand(Access::Read), place);
        }
        let call = Call {
            function,
            span: self.span_of(node),
            is_conditional: context.is_conditional || context.access == Access::Unevaluated,
        };
        self.lowering.calls.push(call);
        for argument in operands {
            self.expression(argument, context.operand(Access::Read), place);
        }
    }

    /// The statements of `({ … })` become children of the statement it stands in;
    /// they may run any number of times, at an unspecified moment.
    fn statement_expression(&mut self, node: NodeId, place: Option<DeclarationSite>) {
        // At file scope C has no statement expressions.
        let Some(DeclarationSite {
            statement: owner,
            scope,
            ..
        }) = place
        else {
            return;
        };
        let tree = self.tree;
        for block in tree
            .children(node)
            .filter(|&child| tree.kind(child) == CursorKind::Compound)
        {
            let first_use = self.lowering.uses.len();
            let child = self.statement(block, Some(owner), Role::InExpression, scope);
            self.lowering.statements[owner.index()].children.push(child);
            for used in &mut self.lowering.uses[first_use..] {
                used.is_conditional = true;
            }
        }
    }

    fn unary_operator(&self, node: NodeId, operand: NodeId) -> UnaryOperator {
        let text = &self.lowering.text;
        let (Some(outer), Some(inner)) = (
            text.extent(self.tree.cursor(node)),
            text.extent(self.tree.cursor(operand)),
        ) else {
            return UnaryOperator::Unknown;
        };
        let (start, end) = (outer.span.start, outer.span.end);
        if text
            .macro_at(start)
            .is_some_and(|m| m.end >= inner.span.end)
        {
            return UnaryOperator::Unknown;
        }
        if start == inner.span.start {
            // A prefix operator would come first, so it is a postfix one.
            return UnaryOperator::IncrementOrDecrement;
        }
        match &text.source[start as usize..end as usize] {
            [b'+', b'+', ..] | [b'-', b'-', ..] => UnaryOperator::IncrementOrDecrement,
            [b'&', ..] => UnaryOperator::AddressOf,
            [b'+' | b'-' | b'*' | b'~' | b'!' | b'_', ..] => UnaryOperator::Other,
            _ => UnaryOperator::Unknown,
        }
    }

    fn binary_operator(&self, left: NodeId, right: NodeId) -> BinaryOperator {
        let text = &self.lowering.text;
        let (Some(left), Some(right)) = (
            text.extent(self.tree.cursor(left)),
            text.extent(self.tree.cursor(right)),
        ) else {
            return BinaryOperator::Unknown;
        };
        let (from, to) = (left.span.end, right.span.start);
        if !left.ends_here || from >= to {
            return BinaryOperator::Unknown;
        }
        let between = text
            .tokens
            .starting_at(from)
            .iter()
            .take_while(|token| token.span.end <= to);
        let mut operator: Vec<u8> = Vec::with_capacity(2);
        for token in between {
            if text.macro_at(token.span.start).is_some() {
                return BinaryOperator::Unknown;
            }
            operator.extend_from_slice(text.tokens.text(*token));
        }
        match operator.as_slice() {
            b"=" => BinaryOperator::Assign,
            b"&&" | b"||" => BinaryOperator::Logical,
            b"+" | b"-" | b"*" | b"/" | b"%" | b"&" | b"|" | b"^" | b"<<" | b">>" | b"<" | b">"
            | b"<=" | b">=" | b"==" | b"!=" | b"," => BinaryOperator::Other,
            _ => BinaryOperator::Unknown,
        }
    }

    /// Whether the operand is an array itself, before it decays to a pointer.
    fn is_array(&mut self, operand: NodeId) -> bool {
        let inner = strip(self.tree, operand);
        let ty = match self.tree.kind(inner) {
            // A variable's own type: a parameter is a pointer whatever is written.
            CursorKind::DeclRef => self.variable_type(inner),
            CursorKind::MemberRef | CursorKind::Subscript | CursorKind::CompoundLiteral => {
                Some(self.lowering.types.lower(self.tree.cursor(inner).ty()))
            }
            _ => None,
        };
        ty.is_some_and(|ty| self.lowering.types.types.is_array(ty.id))
    }

    fn variable_type(&mut self, reference: NodeId) -> Option<Qualified> {
        let target = self.tree.cursor(reference).referenced()?;
        if !matches!(target.kind(), CursorKind::Variable | CursorKind::Parameter) {
            return None;
        }
        let variable = self.lowering.variable_referenced(target)?;
        Some(self.lowering.variables[variable.index()].ty)
    }

    /// Whether `.`'s or `->`'s base is a pointer, or an array that becomes one.
    fn is_pointer(&mut self, base: NodeId) -> bool {
        let ty = self.lowering.types.lower(self.tree.cursor(base).ty());
        matches!(
            self.lowering.types.types.get(ty.id),
            SeedType::Pointer { .. } | SeedType::Array { .. } | SeedType::VariableArray { .. }
        )
    }
}

/// Looks through parentheses and implicit conversions.
fn strip(tree: &Tree<'_>, mut node: NodeId) -> NodeId {
    while matches!(
        tree.kind(node),
        CursorKind::Paren | CursorKind::OtherExpression
    ) {
        let mut operands = tree.expressions(node);
        match (operands.next(), operands.next()) {
            (Some(only), None) => node = only,
            _ => break,
        }
    }
    node
}
