//! Parameters of new functions, and the arguments that they start with.

use super::Author;
use super::functions::Purity;
use super::ledger::Address;
use super::names::{KnownVariable, VariableHome};
use crate::code::ctype::Type;
use crate::code::expr::{Expr, Var};
use crate::code::stmt::Function;
use crate::code::table::ObjectId;
use crate::code::types::IntKind;
use rand::Rng;
use std::collections::BTreeSet;

/// What a parameter starts with.
#[derive(Debug)]
pub(super) enum Argument {
    Scalar(Type, Vec<i64>),
    Struct(KnownVariable),
}

impl Author<'_> {
    /// The arguments of the first call of a new function, and its parameters by name with what
    /// they start with; of the types of another function if one is given.
    pub(super) fn first_arguments(
        &mut self,
        purity: Purity,
        like: Option<&Function>,
    ) -> (Vec<Expr>, Vec<(String, Argument)>) {
        let count = like.map_or_else(|| self.dice.random_range(0..=4), |like| like.params.len());
        let mut args = Vec::new();
        let mut params = Vec::new();
        for at in 0..count {
            let wanted = like.and_then(|like| like.params[at].ty.int_kind());
            let (arg, value) = match wanted {
                Some(kind) => self.number_argument(kind),
                None => self.first_argument(purity),
            };
            args.push(arg);
            params.push((self.fresh("p"), value));
        }
        (args, params)
    }

    fn first_argument(&mut self, purity: Purity) -> (Expr, Argument) {
        if let Some(named) = self.struct_argument(purity) {
            return (named.expr(), Argument::Struct(named));
        }
        if let Some((ty, arg, carriers)) = self.pointer_argument(purity) {
            return (arg, Argument::Scalar(ty, carriers));
        }
        let kind = self.kind();
        self.number_argument(kind)
    }

    fn number_argument(&mut self, kind: IntKind) -> (Expr, Argument) {
        let arg = self.small_expression();
        let converted = self.cast(&arg, kind).numbers.values;
        (arg.expr, Argument::Scalar(Type::Int(kind), converted))
    }

    /// A parameter with the values of its argument.
    pub(super) fn parameter(&mut self, name: &str, value: &Argument) -> Option<Var> {
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

    /// The objects that an argument points to in any row.
    pub(super) fn pointed_to(&self, argument: &Argument) -> BTreeSet<ObjectId> {
        match argument {
            Argument::Scalar(Type::Pointer { .. }, carriers) => {
                let targets = self.ledger.targets(carriers).into_iter().flatten();
                targets.map(|(object, _)| object).collect()
            }
            _ => BTreeSet::new(),
        }
    }
}
