//! Programs of long arithmetic expressions over many variables, each with a value of its own,
//! and nothing else.

use super::Author;
use super::common::CommonRing;
use crate::code::ctype::Type;
use crate::code::stmt::Function;
use crate::code::unit::FunctionDefinition;
use rand::Rng;

/// Operators of all expressions of a program together, at most.
const OPERATORS: f64 = 10_000.0;
/// Expressions are nested no deeper.
const DEEPEST: u32 = 32;

impl Author<'_> {
    /// A program of long expressions.
    pub(super) fn write_expressions(&mut self) {
        let product = OPERATORS.min(self.nodes as f64 / 2.0).max(10.0);
        // Few long and many short ones are alike frequent.
        let operators = product.powf(self.dice.random::<f64>()).max(1.0);
        let expressions = (product / operators).max(1.0) as u32;
        let most = (5 * expressions).clamp(8, 200);
        for _ in 0..self.dice.random_range(4..=most) {
            self.scalar_global();
        }
        let name = self.fresh("t");
        self.begin_test(i64::MAX);
        self.common = CommonRing::default();
        let body = self.block_with(|author| {
            for _ in 0..expressions {
                let term = author.tree(operators as u32, DEEPEST);
                let kind = term.numbers.kind;
                let zeros = vec![0; author.ledger.table().rows() as usize];
                let result = author.global_of(kind, zeros);
                let holder = result.and_then(|named| author.scalar_of(&named, true));
                if let Some(holder) = holder {
                    author.assign_to(&holder, term);
                }
            }
        });
        self.end_test(FunctionDefinition::new(Function {
            name: name.as_str().into(),
            result: Type::Void,
            params: Vec::new(),
            body: body.into(),
        }));
    }
}
