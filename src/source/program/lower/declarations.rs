//! Everything with a name: variables, functions, typedefs, tags, enum constants.

use super::statements::Body;
use super::tree::{NodeId, Tree};
use super::{FILE_SCOPE, Lowering, MAX_DEPTH};
use crate::source::clang::{self, Cursor, CursorKind, Descent, Identity};
use crate::source::program::function::{Definition, HandsOff, SeedFunction};
use crate::source::program::ids::{FunctionId, ScopeId, Span, StatementId, VariableId};
use crate::source::program::scope::{DeclaredName, Meaning, Scope};
use crate::source::program::statement::{NoPoint, Role, StatementKind};
use crate::source::program::variable::{Initializer, Storage, Variable};
use std::collections::HashMap;

/// Functions that return more than once, or whose caller's frame is special.
const RETURNS_TWICE: &[&str] = &[
    "setjmp",
    "_setjmp",
    "__setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "__builtin_setjmp",
    "getcontext",
    "vfork",
];

/// Where a local name is being declared.
#[derive(Clone, Copy)]
pub(super) struct DeclarationSite {
    pub(super) scope: ScopeId,
    pub(super) function: FunctionId,
    pub(super) statement: StatementId,
}

impl<'u> Lowering<'u, '_> {
    /// Takes one file-scope declaration, of the main file or an include.
    pub(super) fn top_level(&mut self, cursor: Cursor<'u>) -> Result<(), String> {
        let extent = self.text.extent(cursor);
        match (cursor.kind(), extent) {
            (CursorKind::Function, Some(extent)) => self.function(cursor, extent.span)?,
            // Functions of includes are registered when something calls them.
            (CursorKind::Function, None) => {}
            (CursorKind::Variable, Some(_)) => {
                let variable = self.global(cursor);
                self.file_level(&Tree::of(cursor), Some(variable));
            }
            // Variables of system headers that are not used are of no interest.
            (CursorKind::Variable, None) if !cursor.is_in_system_header() => {
                self.global(cursor);
            }
            (CursorKind::Typedef, _) => {
                if extent.is_some() {
                    self.declare(FILE_SCOPE, cursor, Meaning::Typedef);
                    self.file_level(&Tree::of(cursor), None);
                }
                if extent.is_some() || !cursor.is_in_system_header() {
                    self.types.name_record(cursor);
                }
            }
            (kind, Some(_)) if kind.is_tagged() => {
                let tree = Tree::of(cursor);
                self.tag(FILE_SCOPE, &tree, 0);
                self.file_level(&tree, None);
            }
            (CursorKind::StaticAssert, Some(_)) => self.file_level(&Tree::of(cursor), None),
            _ => {}
        }
        if let Some(extent) = extent {
            self.reached = self.reached.max(extent.span.end);
        }
        Ok(())
    }

    /// The expressions of a declaration at file level.
    fn file_level(&mut self, tree: &Tree<'u>, variable: Option<VariableId>) {
        let mut hands_off = Vec::new();
        Body::new(self, tree, None, &mut hands_off).file_level(variable);
    }

    /// Adds a name to a scope.
    pub(super) fn declare(&mut self, scope: ScopeId, cursor: Cursor<'u>, meaning: Meaning) {
        let text = cursor.spelling();
        let from = self.text.offset(cursor).unwrap_or(self.reached);
        if !text.is_empty() {
            let is_macro_too = self.macro_names.contains(&text);
            self.scopes[scope.index()].names.push(DeclaredName {
                text,
                meaning,
                from,
                is_macro_too,
            });
        }
    }

    pub(super) fn new_scope(&mut self, parent: ScopeId) -> ScopeId {
        let id = ScopeId::new(self.scopes.len());
        self.scopes.push(Scope {
            parent: Some(parent),
            names: Vec::new(),
        });
        id
    }

    /// The name of a struct, union or enum and, for an enum, its constants; also those
    /// that are declared inside, whose names belong to the same scope.
    pub(super) fn tag(&mut self, scope: ScopeId, tree: &Tree<'u>, node: NodeId) {
        self.declare(scope, tree.cursor(node), Meaning::Tag);
        self.tags_within(scope, tree, node);
    }

    /// What is declared inside a struct, or in an expression such as
    /// `sizeof(enum { k = 70 })`.
    pub(super) fn tags_within(&mut self, scope: ScopeId, tree: &Tree<'u>, node: NodeId) {
        for inner in tree.within(node) {
            let meaning = match tree.kind(inner) {
                CursorKind::EnumConstant => Meaning::EnumConstant,
                kind if kind.is_tagged() => Meaning::Tag,
                _ => continue,
            };
            self.declare(scope, tree.cursor(inner), meaning);
        }
    }

    /// Registers a file-scope variable, or finds the one this redeclares.
    fn global(&mut self, cursor: Cursor<'u>) -> VariableId {
        let name = cursor.spelling();
        let is_extern = cursor.storage() == clang::StorageClass::Extern;
        let initializer = self.initializer_kind(cursor);
        let defines = !is_extern || initializer != Initializer::None;
        let lacks_length = initializer == Initializer::None && self.lacks_length(cursor);
        let here = self.text.offset(cursor).unwrap_or(self.reached);
        if let Some(&known) = self.linked_named.get(&name) {
            self.variable_of.insert(cursor.identity(), known);
            let ty = self.types.lower(cursor.ty());
            let variable = &mut self.variables[known.index()];
            if defines {
                variable.storage = Storage::Global;
            }
            if defines && !lacks_length {
                variable.complete_from = variable.complete_from.min(here);
            }
            if initializer != Initializer::None {
                variable.initializer = initializer;
            }
            // `int a[]; int a[3] = { … };`: the later declaration knows more.
            let knows_more = self.types.types.info(ty.id).size.is_some();
            if knows_more {
                variable.ty = ty;
            }
            return known;
        }
        let storage = if defines {
            Storage::Global
        } else {
            Storage::External
        };
        let id = self.add_variable(cursor, storage, FILE_SCOPE, None);
        if !defines || lacks_length {
            self.variables[id.index()].complete_from = u32::MAX;
        }
        self.linked_named.insert(name, id);
        self.declare(FILE_SCOPE, cursor, Meaning::Variable(id));
        id
    }

    /// A variable declared in a function: automatic, static, or `extern`.
    pub(super) fn local(&mut self, cursor: Cursor<'u>, place: DeclarationSite) -> VariableId {
        let storage = match cursor.storage() {
            clang::StorageClass::Extern => {
                // Names a variable with linkage; in this scope the name means it.
                let name = cursor.spelling();
                let known = self.linked_named.get(&name).copied();
                let id = known.unwrap_or_else(|| {
                    let id = self.add_variable(cursor, Storage::External, FILE_SCOPE, None);
                    self.linked_named.insert(name, id);
                    id
                });
                self.variable_of.insert(cursor.identity(), id);
                self.declare(place.scope, cursor, Meaning::Variable(id));
                return id;
            }
            clang::StorageClass::Static => Storage::LocalStatic,
            _ => Storage::Automatic,
        };
        let id = self.add_variable(cursor, storage, place.scope, Some(place.function));
        self.variables[id.index()].statement = Some(place.statement);
        self.declare(place.scope, cursor, Meaning::Variable(id));
        id
    }

    fn add_variable(
        &mut self,
        cursor: Cursor<'u>,
        storage: Storage,
        scope: ScopeId,
        function: Option<FunctionId>,
    ) -> VariableId {
        let id = VariableId::new(self.variables.len());
        let extent = self.text.extent(cursor);
        let is_register = cursor.storage() == clang::StorageClass::Register;
        let ty = match cursor.kind() {
            CursorKind::Parameter => self.types.lower_parameter(cursor.ty()),
            _ => self.types.lower(cursor.ty()),
        };
        let may_have_asm = is_register || scope == FILE_SCOPE || storage == Storage::LocalStatic;
        self.variables.push(Variable {
            name: cursor.spelling(),
            ty,
            storage,
            is_register,
            is_thread_local: cursor.is_thread_local(),
            initializer: self.initializer_kind(cursor),
            initial: None,
            declaration: extent.map(|extent| extent.span),
            scope,
            function,
            statement: None,
            address_taken: false,
            is_used_elsewhere: true,
            complete_from: 0,
            has_asm_name: may_have_asm && has_asm_name(cursor),
            is_used_by_handler: false,
            is_from_system_header: extent.is_none() && cursor.is_in_system_header(),
        });
        self.variable_of.insert(cursor.identity(), id);
        id
    }

    /// Whether it is declared like `int a[];`, which has one element at the end of the program
    /// and no size before.
    fn lacks_length(&self, cursor: Cursor<'u>) -> bool {
        let extent = self.text.extent(cursor);
        extent.is_some_and(|extent| {
            let text = &self.text.source[extent.span.range()];
            let mut brackets = text.split(|byte| *byte == b'[').skip(1);
            brackets.any(|rest| rest.trim_ascii_start().starts_with(b"]"))
        })
    }

    fn initializer_kind(&self, cursor: Cursor<'u>) -> Initializer {
        if cursor.kind() != CursorKind::Variable {
            return Initializer::None;
        }
        match cursor.initializer() {
            None => Initializer::None,
            Some(value) if value.kind() == CursorKind::InitList => Initializer::List,
            // An array has no other initialiser than a list or a string.
            Some(value) if value.kind().is_literal() => Initializer::List,
            Some(_) => Initializer::Value,
        }
    }

    /// The variable a reference means, registering one from an include if need be.
    pub(super) fn variable_referenced(&mut self, cursor: Cursor<'u>) -> Option<VariableId> {
        if let Some(&known) = self.variable_of.get(&cursor.identity()) {
            return Some(known);
        }
        (cursor.kind() == CursorKind::Variable).then(|| self.global(cursor))
    }

    /// The function a reference means.
    pub(super) fn function_referenced(&mut self, cursor: Cursor<'u>) -> FunctionId {
        match self.function_of.get(&cursor.identity()) {
            Some(&known) => known,
            None => self.register_function(cursor),
        }
    }

    /// Registers a declaration of a function, or finds the one it redeclares.
    pub(super) fn register_function(&mut self, cursor: Cursor<'u>) -> FunctionId {
        let identity: Identity = cursor.identity();
        if let Some(&known) = self.function_of.get(&identity) {
            return known;
        }
        let name = cursor.spelling();
        let id = match self.function_named.get(&name) {
            Some(&known) => known,
            None => {
                let id = FunctionId::new(self.functions.len());
                self.functions.push(SeedFunction {
                    name: name.clone(),
                    ty: self.types.lower(cursor.ty()),
                    is_static: cursor.storage() == clang::StorageClass::Static,
                    is_from_header: self.text.offset(cursor).is_none(),
                    is_pure: false,
                    is_const: false,
                    declared_at: self.text.offset(cursor).unwrap_or(self.reached),
                    definition: None,
                });
                self.function_named.insert(name, id);
                id
            }
        };
        self.function_of.insert(identity, id);
        id
    }

    /// A function declaration or definition of the main file.
    fn function(&mut self, cursor: Cursor<'u>, span: Span) -> Result<(), String> {
        let is_known = self.function_named.contains_key(&cursor.spelling());
        let id = self.register_function(cursor);
        if !is_known {
            self.declare(FILE_SCOPE, cursor, Meaning::Function(id));
        }
        let tree = Tree::of(cursor);
        if tree.depth() > MAX_DEPTH {
            return Err(format!(
                "the function {} has statements nested more than {MAX_DEPTH} deep",
                self.functions[id.index()].name
            ));
        }
        let mut body = None;
        let mut parameters = Vec::new();
        for node in tree.children(0) {
            match tree.kind(node) {
                CursorKind::PureAttribute => self.functions[id.index()].is_pure = true,
                CursorKind::ConstAttribute => self.functions[id.index()].is_const = true,
                CursorKind::Parameter => parameters.push(node),
                CursorKind::Compound => body = Some(node),
                _ => {}
            }
        }
        let Some(body) = body.filter(|_| cursor.is_definition()) else {
            return Ok(());
        };
        // The definition's type is the one that counts: it has the parameters.
        self.functions[id.index()].ty = self.types.lower(cursor.ty());
        let scope = self.new_scope(FILE_SCOPE);
        let parameters: Vec<VariableId> = parameters
            .into_iter()
            .map(|node| {
                let parameter = tree.cursor(node);
                let variable = self.add_variable(parameter, Storage::Parameter, scope, Some(id));
                self.declare(scope, parameter, Meaning::Variable(variable));
                variable
            })
            .collect();
        let first_statement = self.statements.len();
        let first_call = self.calls.len();
        let mut hands_off = self.body(&tree, body, id, scope);
        let function = &self.functions[id.index()];
        if function.is_pure || function.is_const {
            hands_off.push(HandsOff::PureOrConst);
        }
        let calls_setjmp = self.calls[first_call..].iter().any(|call| {
            call.function.is_some_and(|callee| {
                RETURNS_TWICE.contains(&self.functions[callee.index()].name.as_str())
            })
        });
        if calls_setjmp {
            hands_off.push(HandsOff::SetJmp);
        }
        hands_off.extend(self.resolve_gotos(first_statement));
        hands_off.sort_unstable();
        hands_off.dedup();
        if !hands_off.is_empty() {
            for statement in &mut self.statements[first_statement..] {
                statement.insertion = Err(NoPoint::FunctionHandsOff);
            }
        }
        self.functions[id.index()].definition = Some(Definition {
            span,
            statements: first_statement as u32..self.statements.len() as u32,
            parameters,
            scope,
            hands_off,
        });
        Ok(())
    }

    /// Ties each `goto` of the function to its label.
    fn resolve_gotos(&mut self, first_statement: usize) -> Option<HandsOff> {
        let mut labels: HashMap<String, StatementId> = HashMap::new();
        let mut ambiguous = None;
        for (index, statement) in self.statements.iter().enumerate().skip(first_statement) {
            if let StatementKind::Label { name, .. } = &statement.kind
                && labels
                    .insert(name.clone(), StatementId::new(index))
                    .is_some()
            {
                ambiguous = Some(HandsOff::AmbiguousLabel);
            }
        }
        for statement in &mut self.statements[first_statement..] {
            if let StatementKind::Goto { label, target } = &mut statement.kind {
                *target = labels.get(label).copied();
            }
        }
        ambiguous
    }

    fn body(
        &mut self,
        tree: &Tree<'u>,
        node: NodeId,
        function: FunctionId,
        scope: ScopeId,
    ) -> Vec<HandsOff> {
        let mut hands_off = Vec::new();
        let mut body = Body::new(self, tree, Some(function), &mut hands_off);
        let first = body.statement(node, None, Role::FunctionBody, scope);
        body.settle(first.index());
        hands_off
    }
}

fn has_asm_name(cursor: Cursor<'_>) -> bool {
    let mut found = false;
    cursor.walk(|child, _| {
        found |= child.kind() == CursorKind::AsmLabelAttribute;
        Descent::Over
    });
    found
}
