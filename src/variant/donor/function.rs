//! Functions of other programs that variants and programs of our own call.
//!
//! A donor function gives a number that depends on its arguments alone, and is known as a tree.
//! So what it gives is known wherever its arguments are, and whether it is defined for them.

use crate::code::functions;
use crate::code::print::Style;
use crate::code::stmt::Function;
use crate::code::types::IntKind;
use crate::code::unit::FunctionDefinition;
use crate::source::lift;
use crate::source::program::Program;
use crate::source::vocabulary::Vocabulary;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most parameters: most of the arguments of a longer list would go unused.
const MOST_PARAMETERS: usize = 6;

/// Functions of more nodes are a program of their own.
const MOST_NODES: usize = 400;

/// A function of numbers, behind those that it calls.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DonorFunction {
    functions: Vec<Function>,
}

impl DonorFunction {
    /// The functions of a program that can be donors.
    pub fn all_of(program: &Program) -> Vec<DonorFunction> {
        let vocabulary = Vocabulary::new(program);
        let definitions = program.definitions();
        let lifted = definitions
            .filter_map(|(id, _, _)| lift::with_callees(&vocabulary, program, id))
            .map(|functions| DonorFunction { functions });
        lifted.filter(DonorFunction::is_sound).collect()
    }

    /// Whether there is something to call, with numbers only. A saved one may be anything.
    pub(super) fn is_sound(&self) -> bool {
        let Some((entry, callees)) = self.functions.split_last() else {
            return false;
        };
        let size: usize = self.functions.iter().map(|one| one.body.size()).sum();
        let is_number = |kind: Option<IntKind>| kind.is_some();
        (1..=MOST_PARAMETERS).contains(&entry.params.len())
            && is_number(entry.result.int_kind())
            && entry.params.iter().all(|one| is_number(one.ty.int_kind()))
            && callees.iter().all(|one| one.name != entry.name)
            && size <= MOST_NODES
    }

    /// All functions, each behind those that it calls.
    pub(crate) fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The function to call.
    pub fn entry(&self) -> Option<&Function> {
        self.functions.last()
    }

    /// The same under other names: of its functions, or of all that it declares.
    pub(crate) fn renamed(&self, name: impl Fn(&str) -> Arc<str>) -> Option<DonorFunction> {
        let functions = self.functions.iter().map(|one| one.renamed(&name));
        let functions = functions.collect::<Option<_>>()?;
        Some(DonorFunction { functions })
    }

    /// Its definitions as C.
    pub(super) fn text(&self) -> String {
        let functions = self.functions.iter().cloned();
        let definitions = functions.map(FunctionDefinition::new_static);
        let texts = definitions.map(|one| one.to_c(Style::default()));
        texts.collect()
    }

    /// Whether one of its functions has this name.
    pub(crate) fn defines(&self, name: &str) -> bool {
        self.functions.iter().any(|one| *one.name == *name)
    }

    /// Its functions for an evaluator.
    pub fn by_name(&self) -> BTreeMap<Arc<str>, Function> {
        functions::by_name(&self.functions)
    }
}
