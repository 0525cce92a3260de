//! The expressions of statements and declarations, taken as parts of them.

use super::accesses::Context;
use super::declarations::DeclarationSite;
use super::expressions::Around;
use super::statements::Body;
use super::tree::NodeId;
use crate::source::clang::CursorKind;
use crate::source::program::ids::{ExprId, ScopeId, Span, StatementId, VariableId};
use crate::source::program::scope::Meaning;
use crate::source::program::statement::{PartRole, StatementPart};
use crate::source::program::variable::Storage;

/// How long the tables were before a part.
struct Before {
    uses: usize,
    calls: usize,
    exprs: usize,
}

impl Body<'_, '_, '_> {
    /// Lowers the expression at `node` as one part of a statement.
    pub(super) fn part(
        &mut self,
        node: NodeId,
        role: PartRole,
        site: DeclarationSite,
        context: Context,
    ) -> StatementPart {
        let before = self.before();
        let is_constant = role == PartRole::CaseValue;
        let root = self.expression(node, Around::whole(Some(site), is_constant));
        self.accesses(root, context);
        self.part_since(before, role, self.span_of(node))
    }

    fn before(&self) -> Before {
        Before {
            uses: self.lowering.uses.len(),
            calls: self.lowering.calls.len(),
            exprs: self.lowering.exprs.len(),
        }
    }

    fn part_since(&self, before: Before, role: PartRole, span: Span) -> StatementPart {
        StatementPart {
            role,
            span,
            uses: before.uses as u32..self.lowering.uses.len() as u32,
            calls: before.calls as u32..self.lowering.calls.len() as u32,
            exprs: before.exprs as u32..self.lowering.exprs.len() as u32,
        }
    }

    /// The names that a declaration brings, each with its initialiser as a part.
    pub(super) fn declarators(
        &mut self,
        node: NodeId,
        id: StatementId,
        scope: ScopeId,
    ) -> Vec<VariableId> {
        let tree = self.tree;
        let site = self.site(id, scope);
        let mut variables = Vec::new();
        for child in tree.children(node) {
            let cursor = tree.cursor(child);
            let role = match tree.kind(child) {
                CursorKind::Variable => {
                    let variable = self.lowering.local(cursor, site);
                    variables.push(variable);
                    PartRole::Declarator(variable)
                }
                CursorKind::Typedef => {
                    self.lowering.declare(scope, cursor, Meaning::Typedef);
                    PartRole::OtherDeclaration
                }
                kind if kind.is_tagged() => {
                    self.lowering.tag(scope, tree, child);
                    PartRole::OtherDeclaration
                }
                CursorKind::Function => {
                    let function = self.lowering.register_function(cursor);
                    self.lowering
                        .declare(scope, cursor, Meaning::Function(function));
                    PartRole::OtherDeclaration
                }
                _ => PartRole::OtherDeclaration,
            };
            let part = self.declarator_part(child, role, site);
            self.own(id).parts.push(part);
        }
        variables
    }

    /// The expressions of a declarator: its initialiser, and array sizes in its type.
    fn declarator_part(
        &mut self,
        node: NodeId,
        role: PartRole,
        site: DeclarationSite,
    ) -> StatementPart {
        let before = self.before();
        let variable = match role {
            PartRole::Declarator(variable) => Some(variable),
            _ => None,
        };
        self.declared(node, Some(site), variable);
        self.part_since(before, role, self.span_of(node))
    }

    /// The expressions of the declaration at file level that the tree is of.
    pub(super) fn file_level(&mut self, variable: Option<VariableId>) {
        self.declared(0, None, variable);
    }

    /// Lowers the expressions of a declaration: the initialiser of a variable, array
    /// sizes, the condition of `_Static_assert`, and what stands inside a struct or enum.
    fn declared(
        &mut self,
        node: NodeId,
        site: Option<DeclarationSite>,
        variable: Option<VariableId>,
    ) {
        let tree = self.tree;
        let cursor = tree.cursor(node);
        if tree.kind(node).is_tagged() {
            let members = tree.within(node).filter(|&inner| {
                matches!(
                    tree.kind(inner),
                    CursorKind::Field | CursorKind::EnumConstant
                )
            });
            for expression in members.flat_map(|member| tree.expressions(member)) {
                self.whole(expression, site, true);
            }
            return;
        }
        let initial = variable.and_then(|_| cursor.initializer());
        let is_static = variable.is_none_or(|variable| {
            self.lowering.variables[variable.index()].storage != Storage::Automatic
        });
        // The message of `_Static_assert` is no value.
        let most = match tree.kind(node) {
            CursorKind::StaticAssert => 1,
            _ => usize::MAX,
        };
        for expression in tree.expressions(node).take(most) {
            let is_initial = initial.is_some_and(|initial| initial == tree.cursor(expression));
            let is_constant = if is_initial {
                is_static
            } else {
                let ty = self.lowering.types.lower(cursor.ty());
                !self.lowering.types.types.is_variably_modified(ty.id)
            };
            let root = self.whole(expression, site, is_constant);
            if let (true, Some(variable)) = (is_initial, variable) {
                self.lowering.variables[variable.index()].initial = Some(root);
            }
        }
    }

    fn whole(&mut self, node: NodeId, site: Option<DeclarationSite>, is_constant: bool) -> ExprId {
        let root = self.expression(node, Around::whole(site, is_constant));
        self.accesses(root, Context::READ);
        root
    }
}
