//! Functions: the tests that `main` calls, and the functions that these call.
//!
//! A function is written at its first call, with the values of the arguments there, so that
//! everything in it runs and is defined. Later calls are tried by running them.

use super::Author;
use super::common::CommonRing;
use super::expr::Term;
use super::feature::Feature;
use super::ledger::ActiveSet;
use super::request::ProgramMode;
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::stmt::{Attribute, Function, Stmt};
use crate::code::table::ObjectId;
use crate::code::types::IntKind;
use crate::code::unit::FunctionDefinition;
use rand::Rng;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Functions that are being written at once; main's test is one.
const DEEPEST_CALLS: usize = 4;

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
    pub(super) result: Option<IntKind>,
    /// The rows that have returned, and with what.
    pub(super) gone: Vec<u32>,
    pub(super) returned: Vec<(u32, i64)>,
    /// The rows that have called it.
    entered: ActiveSet,
    returns_struct: bool,
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
        self.borrow_functions();
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

    /// A function that depends on its arguments alone, sometimes not inlined.
    pub(super) fn pure_function(
        &mut self,
        result: Type,
        params: Vec<Var>,
        body: Vec<Stmt>,
    ) -> Option<Arc<Function>> {
        let function = Function {
            name: self.fresh("w").as_str().into(),
            result,
            params,
            body: Arc::new(Stmt::Block(body)),
        };
        self.ledger.session.define(&function).ok()?;
        let mut definition = FunctionDefinition::new_static(function.clone());
        if self.dice.random() {
            definition.attributes.push(Attribute::Noinline);
        }
        self.finish(definition, Purity::Const, false);
        Some(Arc::new(function))
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
        let (args, params) = self.first_arguments(purity, like);
        let name = self.fresh("f");
        let returned = match like {
            Some(_) => None,
            None => self.struct_result(purity),
        };
        let result = if returned.is_some() {
            None
        } else {
            self.number_result(purity, like)
        };
        let nodes = self.function_size();
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

    /// Nodes of a new function; small functions are what inliners like.
    fn function_size(&mut self) -> i64 {
        match self.dice.random_range(0..10) {
            0..4 => self.dice.random_range(5..=30),
            4..8 => self.dice.random_range(30..=150),
            _ => self.dice.random_range(150..=500),
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
}
