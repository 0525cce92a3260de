//! Functions that are the same but for one thing, called side by side: compilers merge those that
//! are equal, and make copies for arguments that are known.

use super::SnippetWriter;
use crate::code::ctype::Type;
use crate::code::expr::{Callee, Expr, Var};
use crate::code::stmt::{Attribute, Stmt};
use crate::code::types::IntKind;
use crate::variant::generate::feature::Feature;

/// What tells twins apart.
#[derive(Clone, Copy)]
enum TwinDifference {
    Nothing,
    Sign,
    Width,
    Constant,
}

impl SnippetWriter {
    /// Two or three functions written by the same dice, and a test that calls all of them with
    /// the same numbers.
    pub(super) fn twins(&mut self) {
        let kind = self.counting_kind();
        let difference = self.one_of(&[
            TwinDifference::Nothing,
            TwinDifference::Sign,
            TwinDifference::Sign,
            TwinDifference::Width,
            TwinDifference::Constant,
        ]);
        let number = self.near_number();
        let with_pointer = self.has(Feature::Pointers) && self.percent(35);
        let start = self.dice.clone();
        let count = self.one_of(&[2, 2, 3]);
        let mut callees = Vec::new();
        for which in 0..count {
            let apart = which > 0;
            let kind = match difference {
                TwinDifference::Sign if apart => other_sign(kind),
                TwinDifference::Width if apart => other_width(kind),
                _ => kind,
            };
            let plus = match difference {
                TwinDifference::Constant if apart => 1,
                _ => 0,
            };
            self.dice = start.clone();
            let around = std::mem::replace(&mut self.kinds, vec![kind]);
            let numbers = std::mem::replace(&mut self.numbers, vec![number + plus]);
            self.recent.clear();
            self.recent_conditions.clear();
            callees.push(self.twin(kind, with_pointer));
            (self.kinds, self.numbers) = (around, numbers);
        }
        self.call_twins(&callees, kind);
    }

    fn twin(&mut self, kind: IntKind, with_pointer: bool) -> Callee {
        let mut types = vec![Type::Int(kind); 2];
        if with_pointer {
            types[1] = Type::Int(kind).pointer();
        }
        let statements = self.one_of(&[0, 0, 1, 1, 2, 3]);
        let result = if self.percent(50) {
            Type::Int(kind)
        } else {
            Type::INT
        };
        let callee = self.function(types, result, false, |writer| {
            (0..statements).map(|_| writer.statement(2)).collect()
        });
        let is_called = self.percent(60);
        if let Some(definition) = self.snippet.functions.last_mut() {
            definition.is_inline = false;
            definition.attributes.clear();
            if is_called {
                definition.attributes.push(Attribute::Noinline);
            }
        }
        callee
    }

    fn call_twins(&mut self, callees: &[Callee], kind: IntKind) {
        let given = [self.global(Type::Int(kind)), self.global(Type::Int(kind))];
        let known = self.percent(25).then(|| self.constant());
        let mut lines = Vec::new();
        for callee in callees {
            let args = callee.params.iter().zip(&given);
            let args = args.map(|(ty, var)| self.twin_argument(ty, var, known.as_ref()));
            let args: Vec<Expr> = args.collect();
            let output = Expr::Var(self.output(callee.result.clone()));
            let call = Expr::call(callee.clone(), args);
            lines.push(Stmt::Expr(Expr::assign(output, call)));
        }
        self.add_test(Stmt::Block(lines));
    }

    fn twin_argument(&mut self, ty: &Type, var: &Var, known: Option<&Expr>) -> Expr {
        match ty {
            Type::Pointer { to, .. } => {
                // An array of its own: twins may differ in what they point to.
                let len = self.length + 4;
                let array = self.global((**to).clone().array(len));
                Expr::Var(array).index(Expr::int(0)).address_of()
            }
            _ => known.cloned().unwrap_or_else(|| Expr::Var(var.clone())),
        }
    }
}

fn other_sign(kind: IntKind) -> IntKind {
    match kind {
        IntKind::Char | IntKind::SChar => IntKind::UChar,
        IntKind::UChar => IntKind::SChar,
        IntKind::Short => IntKind::UShort,
        IntKind::UShort => IntKind::Short,
        IntKind::Int => IntKind::UInt,
        IntKind::UInt => IntKind::Int,
        IntKind::Long => IntKind::ULong,
        IntKind::ULong => IntKind::Long,
        IntKind::LongLong => IntKind::ULongLong,
        IntKind::ULongLong => IntKind::LongLong,
        other => other,
    }
}

fn other_width(kind: IntKind) -> IntKind {
    match kind {
        IntKind::Char | IntKind::SChar => IntKind::Short,
        IntKind::UChar => IntKind::UShort,
        IntKind::Short => IntKind::Int,
        IntKind::UShort => IntKind::UInt,
        IntKind::Int => IntKind::Long,
        IntKind::UInt => IntKind::ULong,
        // Of the same width, but another type.
        IntKind::Long => IntKind::LongLong,
        IntKind::ULong => IntKind::ULongLong,
        other => other,
    }
}
