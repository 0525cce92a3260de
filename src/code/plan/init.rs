//! Planning of declarations and their initialisers.

use super::super::builtin::Builtin;
use super::super::ctype::Type;
use super::super::expr::Expr;
use super::super::op::BinaryOp;
use super::super::stmt::{Declaration, Init};
use super::super::trouble::Mistake;
use super::body::BodyPlanner;
use super::code::{Full, Instr, StaticLocal};
use super::node::{Node, Place, Root, Slot};
use super::planner::Planner;

impl BodyPlanner<'_, '_> {
    pub(super) fn declare(&mut self, declaration: &Declaration) -> Result<(), Mistake> {
        let var = &declaration.var;
        self.planner.cells(&var.ty)?;
        self.planner.check_own_name(declaration)?;
        if self.frame == 0 {
            return Err(self.mistake("a declaration outside a block"));
        }
        let frame = self.frame;
        if self.frames[frame].names.contains(&var.name) {
            return Err(self.mistake("a name declared twice in one block"));
        }
        self.frames[frame].names.push(var.name.clone());
        if declaration.specifiers.is_static {
            return self.declare_static(declaration);
        }
        let local = self.local(var, &declaration.specifiers);
        self.frames[frame].locals.push(local);
        let initial = self.planner.initial(declaration, Slot::Local(local))?;
        self.push(if initial.zeroed {
            Instr::Zero(local)
        } else {
            Instr::Enter(vec![local])
        });
        if let Some(full) = initial.full {
            self.push(Instr::Eval(full));
        }
        Ok(())
    }

    /// A variable that has its first value before the program starts.
    fn declare_static(&mut self, declaration: &Declaration) -> Result<(), Mistake> {
        let (var, specifiers) = (&declaration.var, &declaration.specifiers);
        let slot = Slot::Static(self.statics.len() as u32);
        self.name(var, specifiers, slot);
        let initial = self.planner.initial(declaration, slot)?;
        if initial
            .full
            .as_ref()
            .is_some_and(|full| !full.is_constant())
        {
            return Err(self.mistake("a static variable that does not start with a constant"));
        }
        self.statics.push(StaticLocal {
            var: var.clone(),
            constant: specifiers.constant,
            initial,
        });
        Ok(())
    }
}

/// How a declared variable gets its first value.
#[derive(Debug)]
pub(in super::super) struct Initial {
    /// Whether all cells are zero before anything is stored.
    pub(in super::super) zeroed: bool,
    pub(in super::super) full: Option<Full>,
}

impl Planner<'_> {
    /// Refuses an initialiser that names the variable it is for.
    pub(in super::super) fn check_own_name(&self, declared: &Declaration) -> Result<(), Mistake> {
        let mut own = false;
        if let Some(init) = &declared.init {
            init.for_each_expr(&mut |expr| {
                expr.for_each_var(&mut |used| own |= used.name == declared.var.name);
            });
        }
        if own {
            return Err(self.mistake("an initialiser that names its own variable"));
        }
        Ok(())
    }

    /// An array whose length is computed, and must be what its type says.
    fn room(&mut self, ty: &Type, length: &Expr) -> Result<Initial, Mistake> {
        let Type::Array { len, .. } = ty else {
            return Err(self.mistake("a length of something that is no array"));
        };
        let len = i32::try_from(*len).map_err(|_| self.mistake("an array that is too long"))?;
        if len == 0 {
            return Err(self.mistake("an array without elements"));
        }
        let is_right = Expr::binary(BinaryOp::Eq, length.clone(), Expr::int(len));
        let never = Expr::builtin(Builtin::Unreachable, vec![]);
        let never = Expr::comma(never, Expr::int(0));
        let check = Expr::conditional(is_right, Expr::int(0), never);
        let typed = self.inside(0, |planner| planner.value(&check))?;
        Ok(Initial {
            zeroed: false,
            full: Some(Full::new(typed.node)),
        })
    }

    /// Plans the initialiser of a variable that lives in `slot`.
    pub(in super::super) fn initial(
        &mut self,
        declaration: &Declaration,
        slot: Slot,
    ) -> Result<Initial, Mistake> {
        let var = &declaration.var;
        let Some(init) = &declaration.init else {
            return Ok(Initial {
                zeroed: false,
                full: None,
            });
        };
        if let Init::Room { length, .. } = init {
            return self.room(&var.ty, length);
        }
        let root = || Place {
            root: Root::Slot(slot),
            cell: 0,
            indices: vec![],
        };
        if let (Init::Value(expr), true) = (init, var.ty.is_composite()) {
            let typed = self.inside(0, |planner| planner.value(expr))?;
            let copy = self.copied(typed, &var.ty, root())?;
            return Ok(Initial {
                zeroed: false,
                full: Some(Full::new(copy)),
            });
        }
        let mut stores = Vec::new();
        self.stores(init, &var.ty, None, &root, &mut 0, &mut stores)?;
        let at = self.at();
        Ok(Initial {
            zeroed: matches!(init, Init::List(_)),
            full: Some(Full::new(Node::Together { stores, at })),
        })
    }

    /// The stores of an initialiser.
    fn stores(
        &mut self,
        init: &Init,
        ty: &Type,
        bits: Option<u32>,
        root: &dyn Fn() -> Place,
        child: &mut u32,
        stores: &mut Vec<Node>,
    ) -> Result<(), Mistake> {
        match (init, ty) {
            (Init::List(items), Type::Array { of, len }) => {
                if items.len() as u64 > *len {
                    return Err(self.mistake("an initialiser with too many elements"));
                }
                let stride = self.cells(of)?;
                for (index, item) in items.iter().enumerate() {
                    let skip = index as u32 * stride;
                    let part = move || {
                        let mut place = root();
                        place.cell += skip;
                        place
                    };
                    self.stores(item, of, None, &part, child, stores)?;
                }
                Ok(())
            }
            (Init::List(items), Type::Vector { of, len }) => {
                let array = Type::Array {
                    of: of.clone(),
                    len: u64::from(*len),
                };
                self.stores(
                    &Init::List(items.clone()),
                    &array,
                    None,
                    root,
                    child,
                    stores,
                )
            }
            (Init::List(items), Type::Record(name)) => {
                let Some(record) = self.types.get(name).filter(|one| !one.is_union) else {
                    return Err(self.mistake("a list for something other than a known struct"));
                };
                if items.len() > record.fields.len() {
                    return Err(self.mistake("an initialiser with too many members"));
                }
                let mut skip = 0;
                for (item, field) in items.iter().zip(&record.fields) {
                    let part = move || {
                        let mut place = root();
                        place.cell += skip;
                        place
                    };
                    self.stores(item, &field.ty, field.bits, &part, child, stores)?;
                    skip += self.cells(&field.ty)?;
                }
                Ok(())
            }
            (Init::Value(expr), ty) if ty.is_computable() => {
                let value = self.inside(*child, |planner| {
                    let typed = planner.value(expr)?;
                    planner.assignable(typed, ty, bits)
                })?;
                *child += 1;
                let (place, at) = (Box::new(root()), self.at());
                stores.push(Node::Store {
                    place,
                    value: Box::new(value),
                    initial: true,
                    at,
                });
                Ok(())
            }
            _ => Err(self.mistake("an initialiser that does not match its type")),
        }
    }
}
