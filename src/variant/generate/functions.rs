//! Functions: the tests that `main` calls, and the functions that these call.
//!
//! A function is written at its first call, with the values of the arguments there, so that
//! everything in it runs and is defined. Later calls are tried by running them.

use super::Author;
use super::common::CommonRing;
use super::expr::Term;
use super::feature::Feature;
use super::ledger::{ActiveSet, Address};
use super::names::{KnownVariable, VariableHome};
use super::request::ProgramMode;
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::stmt::{Attribute, Function, Stmt};
use crate::code::table::ObjectId;
use crate::code::types::IntKind;
use crate::code::unit::FunctionDefinition;
use rand::Rng;
use rand::seq::IndexedRandom;
use std::collections::BTreeSet;

/// Functions that are being written at once; main's test is one.
const DEEPEST_CALLS: usize = 4;

/// Variables that a result takes in because nobody else has.
const IN_RESULT: usize = 4;

/// What a function does besides giving a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Purity {
    /// It looks at nothing but its parameters.
    Const,
    /// It only reads.
    Reads,
    /// It may write globals, and what its parameters point to.
    Writes,
}

/// A function that is being written.
#[derive(Debug)]
pub(super) struct FunctionDraft {
    /// Where its variables begin among all locals.
    start: usize,
    /// Nodes that it may still have.
    pub(super) nodes: i64,
    purity: Purity,
    /// The type it returns; `None` if it returns nothing.
    result: Option<IntKind>,
    /// The rows that have returned, and with what.
    pub(super) gone: Vec<u32>,
    returned: Vec<(u32, i64)>,
    /// The rows that have called it.
    entered: ActiveSet,
    returns_struct: bool,
}

/// What a parameter starts with.
#[derive(Debug)]
enum Argument {
    Scalar(Type, Vec<i64>),
    Struct(KnownVariable),
}

/// A finished function.
#[derive(Clone, Debug)]
pub(super) struct WrittenFunction {
    pub(super) definition: FunctionDefinition,
    pub(super) purity: Purity,
    /// Whether it can be called again: what it needs is known.
    pub(super) callable: bool,
}

impl Author<'_> {
    /// All functions, until the program is as long as it should be.
    pub(super) fn write_program(&mut self) {
        if self.request.mode == ProgramMode::Orange {
            return self.write_expressions();
        }
        self.make_data();
        self.define_assume();
        while self.nodes > 0 {
            self.write_test();
        }
    }

    pub(super) fn frame_start(&self) -> usize {
        self.functions.last().map_or(0, |function| function.start)
    }

    /// Whether the function that is being written may read globals.
    pub(super) fn may_use_globals(&self) -> bool {
        let function = self.functions.last();
        function.is_none_or(|function| function.purity >= Purity::Reads)
    }

    /// Whether it may write them.
    pub(super) fn may_write_globals(&self) -> bool {
        let function = self.functions.last();
        function.is_none_or(|function| function.purity == Purity::Writes)
    }

    /// Whether a new function can be written here.
    pub(super) fn may_write_function(&self) -> bool {
        self.ledger.is_outermost() && self.functions.len() < DEEPEST_CALLS && self.nodes > 0
    }

    /// Whether rows may return from here: what returns a struct does so at its end only.
    pub(super) fn may_return(&self) -> bool {
        let function = self.functions.last();
        function.is_some_and(|function| !function.returns_struct)
    }

    /// The most that a function called here may do.
    pub(super) fn callee_purity(&self) -> Purity {
        self.functions
            .last()
            .map_or(Purity::Writes, |function| function.purity)
    }

    /// A function that `main` calls.
    fn write_test(&mut self) {
        let name = self.fresh("t");
        let nodes = self.dice.random_range(200..=1500).min(self.nodes.max(50));
        self.begin_test(nodes);
        let body = self.block(u32::MAX, 4);
        let mut definition = FunctionDefinition::new(Function {
            name: name.as_str().into(),
            result: Type::Void,
            params: Vec::new(),
            body: body.into(),
        });
        if self.policy.features.has(Feature::Attributes) && self.percent(30) {
            definition.attributes.push(Attribute::Noinline);
        }
        self.end_test(definition);
    }

    pub(super) fn begin_test(&mut self, nodes: i64) {
        self.functions.push(FunctionDraft {
            start: self.locals.len(),
            nodes,
            purity: Purity::Writes,
            result: None,
            gone: Vec::new(),
            returned: Vec::new(),
            entered: self.ledger.active().clone(),
            returns_struct: false,
        });
        self.common = CommonRing::default();
    }

    pub(super) fn end_test(&mut self, definition: FunctionDefinition) {
        if let Some(draft) = self.functions.pop() {
            self.ledger.activate(draft.entered);
        }
        self.tests.push(definition.function.callee());
        self.finish(definition, Purity::Writes, false);
    }

    pub(super) fn finish(
        &mut self,
        definition: FunctionDefinition,
        purity: Purity,
        callable: bool,
    ) {
        self.stats.functions += 1;
        self.written.push(WrittenFunction {
            definition,
            purity,
            callable,
        });
    }

    /// Writes a function for a call from here, and gives the call with its result.
    pub(super) fn new_function(&mut self, purity: Purity) -> Option<Term> {
        self.function_like(purity, None)
    }

    /// The same, for a function of the type of another that takes and gives numbers.
    pub(super) fn function_like(
        &mut self,
        purity: Purity,
        like: Option<&Function>,
    ) -> Option<Term> {
        let mut args = Vec::new();
        let mut params = Vec::new();
        let count = like.map_or_else(|| self.dice.random_range(0..=4), |like| like.params.len());
        for at in 0..count {
            let wanted = like.and_then(|like| like.params[at].ty.int_kind());
            let (arg, value) = if let Some(kind) = wanted {
                let arg = self.small_expression();
                let converted = self.cast(&arg, kind).numbers.values;
                (arg.expr, Argument::Scalar(Type::Int(kind), converted))
            } else if let Some(named) = self.struct_argument(purity) {
                (named.expr(), Argument::Struct(named))
            } else if let Some((ty, arg, carriers)) = self.pointer_argument(purity) {
                (arg, Argument::Scalar(ty, carriers))
            } else {
                let kind = self.kind();
                let arg = self.small_expression();
                let converted = self.cast(&arg, kind).numbers.values;
                (arg.expr, Argument::Scalar(Type::Int(kind), converted))
            };
            args.push(arg);
            params.push((self.fresh("p"), value));
        }
        let name = self.fresh("f");
        let returned = match like {
            Some(_) => None,
            None => self.struct_result(purity),
        };
        let result = if returned.is_some() {
            None
        } else if let Some(like) = like {
            like.result.int_kind()
        } else if self.percent(85) || purity < Purity::Writes {
            Some(self.kind())
        } else {
            None
        };
        // Small functions are what inliners like.
        let nodes = match self.dice.random_range(0..10) {
            0..4 => self.dice.random_range(5..=30),
            4..8 => self.dice.random_range(30..=150),
            _ => self.dice.random_range(150..=500),
        };
        self.functions.push(FunctionDraft {
            start: self.locals.len(),
            nodes,
            purity,
            result,
            gone: Vec::new(),
            returned: Vec::new(),
            entered: self.ledger.active().clone(),
            returns_struct: returned.is_some(),
        });
        let (locals, region) = (self.locals.len(), self.region.clone());
        self.region.favourites.clear();
        self.common = CommonRing::default();
        let targets: Vec<BTreeSet<ObjectId>> = params
            .iter()
            .map(|(_, value)| self.pointed_to(value))
            .collect();
        let params: Vec<Var> = params
            .into_iter()
            .filter_map(|(name, value)| self.parameter(&name, &value))
            .collect();
        let mut struct_result = None;
        let body = self.block_with(|author| {
            author.statements(12, 3);
            if purity == Purity::Writes {
                author.save_unread(author.frame_start());
            }
            match &returned {
                Some(ty) => struct_result = author.return_struct(ty),
                None => author.last_return(),
            }
        });
        self.region = region;
        let draft = self.functions.pop()?;
        self.locals.truncate(locals);
        self.common = CommonRing::default();
        self.ledger.activate(draft.entered.clone());
        let function = Function {
            name: name.as_str().into(),
            result: match &returned {
                Some(ty) => ty.clone(),
                None => result.map_or(Type::Void, Type::Int),
            },
            params,
            body: body.into(),
        };
        let callee = function.callee();
        self.define(function, purity, &targets);
        let values = self.results(&draft);
        let kind = result.unwrap_or(IntKind::Int);
        let call = Expr::call(callee, args);
        if let Some(ty) = returned {
            self.keep_struct(&ty, struct_result.as_ref()?, call);
            return None;
        }
        Some(Self::term(call, kind, values))
    }

    /// The type of struct that a new function returns, if it returns one.
    fn struct_result(&mut self, purity: Purity) -> Option<Type> {
        let wanted = self.policy.features.has(Feature::StructValues) && purity == Purity::Writes;
        if !wanted || !self.percent(15) {
            return None;
        }
        // One of a variable that is always in sight, to return and to keep the result in.
        let globals = self.globals.iter().map(|global| &global.named.ty);
        let types: Vec<Type> = globals
            .filter(|ty| matches!(ty, Type::Record(_)))
            .cloned()
            .collect();
        types.choose(&mut self.dice).cloned()
    }

    /// `return` of a struct in sight, which every row reaches.
    fn return_struct(&mut self, ty: &Type) -> Option<KnownVariable> {
        let named = self.some_struct(Some(ty))?;
        self.push(Stmt::Return(Some(named.expr())));
        // What is returned is kept apart from what happens to the variable later.
        let name = self.fresh("v");
        let object = self.ledger.add_object(&name, ty.clone())?;
        let copy = KnownVariable {
            storage: VariableHome::Object(object),
            ..named.clone()
        };
        self.copy_cells(&named, &copy)?;
        Some(copy)
    }

    /// `struct = call;`, of a call that has been made.
    fn keep_struct(&mut self, ty: &Type, result: &KnownVariable, call: Expr) {
        let Some(to) = self.writable_struct(ty) else {
            return;
        };
        if self.copy_cells(result, &to).is_some() {
            self.push(Stmt::Expr(Expr::assign(to.expr(), call)));
        }
    }

    /// Keeps a function for later calls.
    fn define(&mut self, function: Function, purity: Purity, targets: &[BTreeSet<ObjectId>]) {
        let known = self.ledger.session.define(&function);
        debug_assert!(known.is_ok(), "{known:?} in {function:?}");
        let restrict = self.restricted(&function, targets);
        let mut definition = self.dressed(function, purity, false);
        // Another call might pass the same object twice.
        let callable = known.is_ok() && restrict.is_empty();
        definition.restrict = restrict;
        self.finish(definition, purity, callable);
    }

    /// The objects that an argument points to in any row.
    fn pointed_to(&self, argument: &Argument) -> BTreeSet<ObjectId> {
        match argument {
            Argument::Scalar(Type::Pointer { .. }, carriers) => {
                let targets = self.ledger.targets(carriers).into_iter().flatten();
                targets.map(|(object, _)| object).collect()
            }
            _ => BTreeSet::new(),
        }
    }

    /// The function with storage and attributes that are true of it.
    pub(super) fn dressed(
        &mut self,
        function: Function,
        purity: Purity,
        recursive: bool,
    ) -> FunctionDefinition {
        let mut definition = if self.percent(60) {
            FunctionDefinition::new_static(function)
        } else {
            FunctionDefinition::new(function)
        };
        if !self.policy.features.has(Feature::Attributes) {
            return definition;
        }
        match self.dice.random_range(0..10) {
            0 | 1 => definition.attributes.push(Attribute::Noinline),
            // gcc refuses to copy a function into itself.
            2 if definition.is_static && !recursive => {
                definition.is_inline = true;
                definition.attributes.push(Attribute::AlwaysInline);
            }
            3 => definition.attributes.push(Attribute::Cold),
            4 => definition.attributes.push(Attribute::Noipa),
            5 if definition.is_static => definition.is_inline = true,
            _ => {}
        }
        let returns = definition.function.result != Type::Void;
        if returns && self.percent(50) {
            match purity {
                Purity::Const => definition.attributes.push(Attribute::Const),
                Purity::Reads => definition.attributes.push(Attribute::Pure),
                Purity::Writes => {}
            }
        }
        definition
    }

    /// A parameter with the values of its argument.
    fn parameter(&mut self, name: &str, value: &Argument) -> Option<Var> {
        let ty = match value {
            Argument::Scalar(ty, _) => ty.clone(),
            Argument::Struct(named) => named.ty.clone(),
        };
        let object = self.ledger.add_object(name, ty.clone())?;
        let param = KnownVariable {
            name: name.into(),
            ty: ty.clone(),
            storage: VariableHome::Object(object),
            writable: true,
            global: false,
        };
        match value {
            Argument::Scalar(_, carriers) => {
                self.ledger.write(&Address::Fixed(object, 0), carriers);
            }
            Argument::Struct(named) => self.copy_cells(named, &param)?,
        }
        let name = param.name.clone();
        self.locals.push(param);
        Some(Var { name, ty })
    }

    /// The result in every active row, in their order.
    fn results(&self, draft: &FunctionDraft) -> Vec<i64> {
        let rows = self.ledger.rows();
        let of = |row: u32| {
            let returned = draft.returned.iter().find(|(other, _)| *other == row);
            returned.map_or(0, |(_, value)| *value)
        };
        rows.into_iter().map(of).collect()
    }

    /// `if (condition) return value;` for some of the rows, not all.
    pub(super) fn early_return(&mut self) {
        let condition = self.condition(2, 3);
        let [yes, no] = self.ledger.split(&condition.numbers.values);
        if no.is_empty() {
            return;
        }
        self.stats.condition(!yes.is_empty());
        let around = self.ledger.active().clone();
        let (returning, reached) = if yes.is_empty() {
            (around, false)
        } else {
            (yes, true)
        };
        let stmt = self.returning(returning, reached);
        self.ledger.activate(no);
        self.push(Stmt::if_then(condition.expr, stmt));
    }

    /// The return at the end of a function.
    fn last_return(&mut self) {
        let active = self.ledger.active().clone();
        let reached = !active.is_empty();
        let Some(kind) = self.functions.last().and_then(|function| function.result) else {
            return;
        };
        if !reached {
            let value = self.literal(kind, 0);
            return self.push(Stmt::Return(Some(value.expr)));
        }
        let stmt = self.returning(active, true);
        self.push(stmt);
    }

    /// A return of the given rows; if it is not reached, they do not really return.
    fn returning(&mut self, set: ActiveSet, reached: bool) -> Stmt {
        let around = self.ledger.activate(set);
        let value = match self.functions.last().and_then(|function| function.result) {
            Some(kind) => {
                let mut term = self.expression();
                // What nobody has read yet shows in the result.
                for named in self.unread_since(self.frame_start()).iter().take(IN_RESULT) {
                    if let Some(unread) = self.held_by(named) {
                        let op = self.keeping_op();
                        term = self.combine(op, term, unread);
                    }
                }
                let values = self.cast(&term, kind).numbers.values;
                Some((term.expr, values))
            }
            None => None,
        };
        let rows = self.ledger.rows();
        self.ledger.activate(around);
        if reached && let Some(function) = self.functions.last_mut() {
            function.gone.extend(&rows);
            if let Some((_, values)) = &value {
                function
                    .returned
                    .extend(rows.into_iter().zip(values.iter().copied()));
            }
        }
        Stmt::Return(value.map(|(expr, _)| expr))
    }
}
