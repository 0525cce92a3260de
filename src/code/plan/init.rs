//! Planning of declarations and their initialisers.

use super::super::ctype::Type;
use super::super::stmt::{Declaration, Init, Part, Stmt};
use super::super::trouble::Mistake;
use super::body::BodyPlanner;
use super::code::{Full, Instr};
use super::node::{Node, Place, Root, Slot};
use super::typing::Rvalue;

impl BodyPlanner<'_, '_> {
    pub(super) fn declare(&mut self, declaration: &Declaration) -> Result<(), Mistake> {
        let var = &declaration.var;
        self.planner.cells(&var.ty)?;
        if self.frame == 0 {
            return Err(self.mistake("a declaration outside a block"));
        }
        let frame = self.frame;
        let twice = |local: &u32| self.locals[*local as usize].name == var.name;
        if self.frames[frame].locals.iter().any(twice) {
            return Err(self.mistake("a name declared twice in one block"));
        }
        let local = self.local(var);
        self.frames[frame].locals.push(local);
        let Some(init) = &declaration.init else {
            self.push(Instr::Enter(vec![local]));
            return Ok(());
        };
        let mut own = false;
        for part in Stmt::Declare(declaration.clone()).parts() {
            if let Part::Expr(expr) = part {
                expr.for_each_var(&mut |used| own |= used.name == var.name);
            }
        }
        if own {
            return Err(self.mistake("an initialiser that names its own variable"));
        }
        let root = || Place {
            root: Root::Slot(Slot::Local(local)),
            cell: 0,
            indices: vec![],
        };
        let mut stores = Vec::new();
        let mut child = 0;
        match (init, &var.ty) {
            (Init::List(_), _) => self.list(init, &var.ty, None, &root, &mut child, &mut stores)?,
            (Init::Value(expr), Type::Record(_)) => {
                let typed = self.planner.inside(0, |planner| planner.value(expr))?;
                let Rvalue::Record(ty, from) = typed.ty else {
                    return Err(self.mistake("a struct initialised from something else"));
                };
                if ty != var.ty {
                    return Err(self.mistake("a struct initialised from a different struct type"));
                }
                let cells = self.planner.cells(&ty)?;
                let at = self.planner.at();
                self.push(Instr::Enter(vec![local]));
                let copy = Node::Copy {
                    to: Box::new(root()),
                    from,
                    cells,
                    at,
                };
                self.push(Instr::Eval(Full::new(copy)));
                return Ok(());
            }
            (Init::Value(_), _) => {
                self.list(init, &var.ty, None, &root, &mut child, &mut stores)?
            }
        }
        let is_list = matches!(init, Init::List(_));
        self.push(if is_list {
            Instr::Zero(local)
        } else {
            Instr::Enter(vec![local])
        });
        let at = self.planner.at();
        self.push(Instr::Eval(Full::new(Node::Together { stores, at })));
        Ok(())
    }

    /// The stores of an initialiser.
    fn list(
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
                let stride = self.planner.cells(of)?;
                for (index, item) in items.iter().enumerate() {
                    let skip = index as u32 * stride;
                    let part = move || {
                        let mut place = root();
                        place.cell += skip;
                        place
                    };
                    self.list(item, of, None, &part, child, stores)?;
                }
                Ok(())
            }
            (Init::List(items), Type::Record(name)) => {
                let Some(record) = self.planner.types.get(name) else {
                    return Err(self.mistake("an unknown struct"));
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
                    self.list(item, &field.ty, field.bits, &part, child, stores)?;
                    skip += self.planner.cells(&field.ty)?;
                }
                Ok(())
            }
            (Init::Value(expr), ty) if ty.is_computable() => {
                let value = self.planner.inside(*child, |planner| {
                    let typed = planner.value(expr)?;
                    planner.assignable(typed, ty, bits)
                })?;
                *child += 1;
                let (place, at) = (Box::new(root()), self.planner.at());
                stores.push(Node::Store {
                    place,
                    value: Box::new(value),
                    at,
                });
                Ok(())
            }
            _ => Err(self.mistake("an initialiser that does not match its type")),
        }
    }
}
