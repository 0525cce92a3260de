//! Structs of our own: objects copied from each other whole, and members, bit-fields among
//! them, changed in between. What scalar replacement, store merging and alias analyses of
//! memory work on.

use super::Pieces;
use crate::code::ctype::{Field, Type};
use crate::code::expr::{Expr, Var};
use crate::code::op::BinaryOp;
use crate::code::stmt::{Declaration, Init, Specifiers, Stmt};
use crate::code::types::IntKind;
use crate::code::value::Value;
use crate::source::own_structs;
use crate::variant::synth::Synth;
use rand::Rng;
use rand::seq::IndexedRandom;

/// Elements of an array of structs.
const OBJECTS: u64 = 2;

/// Two objects of a struct.
struct Pair {
    ty: Type,
    /// One may be an element of an array.
    objects: [Expr; 2],
    declarations: Vec<Stmt>,
}

impl<R: Rng> Synth<'_, R> {
    /// Two objects that are copied from each other while their members change, and one
    /// number of all that they hold in the end.
    pub(super) fn copied_structs(&mut self, pieces: &Pieces) -> Option<Stmt> {
        let mut pair = self.pair()?;
        let pointer = self.name("p0");
        let target = Expr::var(&pointer, pair.ty.clone().pointer());
        let [one, two] = pair.objects.clone();
        let question = self.question(pieces, &[]);
        let address = Expr::conditional(question, one.address_of(), two.address_of());
        let mut items = std::mem::take(&mut pair.declarations);
        items.push(Stmt::declare(
            &pointer,
            pair.ty.clone().pointer(),
            Some(address),
        ));
        let kind = *[IntKind::UInt, IntKind::ULongLong].choose(self.rng)?;
        let start = self.constant_of(kind);
        let (sum, declaration) = self.fresh("v0", kind, Some(start));
        items.push(declaration);
        let counter = (pieces.turns > 2 && self.rng.random())
            .then(|| self.counter(pieces, "n0", pieces.turns.min(5)));
        items.extend(counter.iter().map(|counter| counter.declaration.clone()));
        let [one, two] = &pair.objects;
        items.push(Stmt::Expr(Expr::assign(two.clone(), one.clone())));
        let objects = [one.clone(), two.clone(), target.deref()];
        let turn = counter.as_ref().map(|counter| counter.var.clone());
        let steps = (0..self.rng.random_range(3..=6))
            .map(|_| self.struct_step(pieces, &pair.ty, &objects, turn.as_ref()))
            .collect::<Option<Vec<Stmt>>>()?;
        match &counter {
            Some(counter) => items.push(counter.loop_over(steps)),
            None => items.extend(steps),
        }
        for object in &pair.objects {
            for member in self.members(object, &pair.ty) {
                let odd = Value::new(
                    kind,
                    2 * self.rng.random_range(1..500) + 1,
                    self.types.target,
                );
                let scaled = Expr::binary(BinaryOp::Mul, sum.clone(), odd.into());
                let member = self.types.clear(member).cast(kind);
                let mixed = Expr::binary(BinaryOp::Add, scaled, member);
                items.push(Stmt::Expr(Expr::assign(sum.clone(), mixed)));
            }
        }
        items.push(self.deliver(pieces, sum)?);
        Some(Stmt::Block(items))
    }

    /// Two objects of one of our structs; `None` if there are no such structs here.
    fn pair(&mut self) -> Option<Pair> {
        let names: Vec<&str> = own_structs::known(self.types).collect();
        let ty = Type::record(names.choose(self.rng)?);
        let is_array = self.one_in(3);
        let first = self.name("s0");
        let declared = if is_array {
            ty.clone().array(OBJECTS)
        } else {
            ty.clone()
        };
        let mut start = self.start(&ty)?;
        let mut one = Expr::var(&first, declared.clone());
        if is_array {
            start = Init::List(vec![start]);
            one = one.index(Expr::int(0));
        }
        let declaration = Stmt::Declare(Declaration {
            var: Var {
                name: first.as_str().into(),
                ty: declared.clone(),
            },
            specifiers: Specifiers::default(),
            init: Some(start),
        });
        let mut declarations = vec![declaration];
        let two = if is_array {
            Expr::var(&first, declared).index(Expr::int(1))
        } else {
            let second = self.name("s1");
            declarations.push(Stmt::declare(&second, ty.clone(), None));
            Expr::var(&second, ty.clone())
        };
        Some(Pair {
            ty,
            objects: [one, two],
            declarations,
        })
    }

    /// Constants for the first members of a struct; the others are zero. Bit-fields are all
    /// named: tcc leaves those that are not as they were.
    fn start(&mut self, ty: &Type) -> Option<Init> {
        let Type::Record(name) = ty else {
            return match ty {
                Type::Array { of, .. } => Some(Init::List(vec![self.start(of)?])),
                _ => Some(Init::Value(self.constant_of(ty.int_kind()?))),
            };
        };
        let fields: Vec<Field> = self.types.get(name)?.fields.clone();
        let listed = if self.has_bit_fields(ty) {
            fields.len()
        } else {
            self.rng.random_range(1..=fields.len())
        };
        let inits = fields[..listed].iter().map(|field| match field.bits {
            // What does not fit would be cut, which some compilers warn of.
            Some(bits) => {
                let most = (1_i32 << (bits - 1).min(8)) - 1;
                Some(Init::Value(Expr::int(self.rng.random_range(0..=most))))
            }
            None => self.start(&field.ty),
        });
        Some(Init::List(inits.collect::<Option<_>>()?))
    }

    fn has_bit_fields(&self, ty: &Type) -> bool {
        let Type::Record(name) = ty else {
            return false;
        };
        let mut fields = self.types.get(name).into_iter().flat_map(|one| &one.fields);
        fields.any(|field| field.bits.is_some() || self.has_bit_fields(&field.ty))
    }

    /// A member changed, or a whole object copied, perhaps under a condition.
    fn struct_step(
        &mut self,
        pieces: &Pieces,
        ty: &Type,
        objects: &[Expr],
        turn: Option<&Expr>,
    ) -> Option<Stmt> {
        let (to, from) = (objects.choose(self.rng)?, objects.choose(self.rng)?);
        if self.one_in(3) {
            let copy = Stmt::Expr(Expr::assign(to.clone(), from.clone()));
            let leaves: Vec<Expr> = turn.into_iter().cloned().collect();
            return Some(if self.rng.random() {
                Stmt::if_then(self.question(pieces, &leaves), Stmt::Block(vec![copy]))
            } else {
                copy
            });
        }
        let target = self.members(to, ty).choose(self.rng)?.clone();
        let read = self.members(from, ty).choose(self.rng)?.clone();
        let mut leaves = vec![self.types.clear(read)];
        leaves.extend(turn.cloned());
        let arithmetic = self.arithmetic();
        let value = self.term(pieces, arithmetic, &leaves);
        let ops = [BinaryOp::BitXor, BinaryOp::BitOr, BinaryOp::BitAnd];
        Some(Stmt::Expr(match ops.choose(self.rng) {
            Some(op) if self.one_in(3) => Expr::compound(*op, target, value),
            _ => Expr::assign(target, value),
        }))
    }

    /// The integers that an object is made of.
    fn members(&self, object: &Expr, ty: &Type) -> Vec<Expr> {
        match ty {
            Type::Record(name) => {
                let fields = self.types.get(name).map(|record| record.fields.iter());
                let fields = fields.into_iter().flatten();
                let members =
                    fields.map(|field| self.members(&object.clone().field(&field.name), &field.ty));
                members.flatten().collect()
            }
            Type::Array { of, len } => {
                let element = |at| object.clone().index(Expr::int(at));
                let members = (0..*len as i32).map(|at| self.members(&element(at), of));
                members.flatten().collect()
            }
            _ => vec![object.clone()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::ctype::Types;
    use crate::code::types::Target;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn all_members_of_a_struct_with_bit_fields_are_given_a_value() {
        let mut types = Types::new(Target::LP64);
        own_structs::define(&mut types);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut shorter = 0;
        for _ in 0..200 {
            let mut synth = Synth::plain(&types, &mut rng);
            for name in own_structs::known(&types) {
                let ty = Type::record(name);
                let members = types.get(name).unwrap().fields.len();
                let Some(Init::List(given)) = synth.start(&ty) else {
                    panic!("{name} has members");
                };
                let is_whole = given.len() == members;
                assert!(is_whole || !synth.has_bit_fields(&ty), "{name}");
                shorter += usize::from(!is_whole);
            }
        }
        assert!(shorter > 100, "others are given some: {shorter}");
    }
}
