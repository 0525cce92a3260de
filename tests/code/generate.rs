//! Expressions to try: every operator on every pair of types, and random trees.

use super::world::{World, any_value, enumeration, name};
use mestra::code::ctype::Type;
use mestra::code::expr::Expr;
use mestra::code::op::{BinaryOp, LogicalOp, StepOp, UnaryOp};
use mestra::code::types::IntKind;
use mestra::code::value::Value;
use rand::Rng;
use rand::seq::IndexedRandom;

fn read(role: &str, kind: IntKind) -> Expr {
    Expr::var(&name(role, kind), kind)
}

/// Every operator on every combination of operand types.
pub(super) fn systematic(world: &World) -> Vec<Expr> {
    let mut list = Vec::new();
    for a in IntKind::ALL {
        let x = || read("x", a);
        list.push(x());
        list.extend(UnaryOp::ALL.map(|op| Expr::unary(op, x())));
        list.extend(StepOp::ALL.map(|op| Expr::step(op, read("w", a))));
        list.push(x().cast(enumeration()));
        list.push(Expr::conditional(x(), Expr::int(2), Expr::int(3)));
        for b in IntKind::ALL {
            let y = || read("y", b);
            list.extend(BinaryOp::ALL.map(|op| Expr::binary(op, x(), y())));
            for op in BinaryOp::ALL.into_iter().filter(|op| op.has_assignment()) {
                list.push(Expr::compound(op, read("w", a), y()));
            }
            list.push(Expr::logical(LogicalOp::And, x(), y()));
            list.push(Expr::logical(LogicalOp::Or, x(), y()));
            list.push(Expr::comma(x(), y()));
            list.push(Expr::assign(read("w", a), y()));
            list.push(y().cast(a));
            list.push(Expr::conditional(read("x", IntKind::Int), x(), y()));
        }
    }
    // Bit-fields on either side of everything.
    for cell in world.cells.iter().filter(|cell| cell.bits.is_some()) {
        let f = || cell.lvalue.clone();
        list.push(f().cast(cell.kind));
        list.extend(UnaryOp::ALL.map(|op| Expr::unary(op, f())));
        list.extend(StepOp::ALL.map(|op| Expr::step(op, f()).cast(cell.kind)));
        for b in [
            IntKind::SChar,
            IntKind::Int,
            IntKind::UInt,
            IntKind::LongLong,
        ] {
            for op in BinaryOp::ALL {
                list.push(Expr::binary(op, f(), read("y", b)));
                list.push(Expr::binary(op, read("x", b), f()));
                list.push(Expr::compound(op, cell.lvalue.clone(), read("y", b)).cast(cell.kind));
            }
            list.push(Expr::assign(cell.lvalue.clone(), read("x", b)).cast(IntKind::LongLong));
        }
    }
    // Constants of every kind at every boundary, also under an operator.
    for kind in IntKind::ALL {
        for math in super::world::boundaries(kind, world.target()) {
            let value = Value::new(kind, math, world.target());
            list.push(value.into());
            list.push(Expr::binary(
                BinaryOp::BitXor,
                value.into(),
                read("y", IntKind::UChar),
            ));
        }
    }
    list.retain(|expr| world.types.type_of(expr).is_ok());
    list
}

/// Makes random trees.
pub(super) struct Generator<'w, R> {
    pub(super) world: &'w World,
    pub(super) rng: R,
    /// Variables that the current tree writes already.
    written: Vec<Expr>,
}

impl<'w, R: Rng> Generator<'w, R> {
    pub(super) fn new(world: &'w World, rng: R) -> Self {
        Generator {
            world,
            rng,
            written: Vec::new(),
        }
    }

    /// A well-typed tree of about this depth.
    pub(super) fn expr(&mut self, depth: u32) -> Expr {
        loop {
            self.written.clear();
            let expr = self.tree(depth);
            if self
                .world
                .types
                .type_of(&expr)
                .is_ok_and(|ty| ty.int_kind().is_some())
            {
                return expr;
            }
        }
    }

    fn kind(&mut self) -> IntKind {
        *IntKind::ALL.choose(&mut self.rng).unwrap()
    }

    fn constant(&mut self) -> Expr {
        let (kind, target) = (self.kind(), self.world.target());
        let math = any_value(&mut self.rng, kind, target);
        Value::new(kind, math, target).into()
    }

    fn leaf(&mut self) -> Expr {
        let leaf = self.any_leaf();
        self.world.types.clear(leaf)
    }

    fn any_leaf(&mut self) -> Expr {
        match self.rng.random_range(0..12) {
            0..=4 => {
                let role = if self.rng.random() { "x" } else { "y" };
                let kind = self.kind();
                read(role, kind)
            }
            5..=7 => self.constant(),
            8 => {
                let readable: Vec<_> = self
                    .world
                    .cells
                    .iter()
                    .filter(|cell| !is_written(&cell.lvalue))
                    .collect();
                readable.choose(&mut self.rng).unwrap().lvalue.clone()
            }
            9 => {
                let ps = Expr::var("ps", Type::record("struct S").pointer()).deref();
                let fields = &self.world.types.get("struct S").unwrap().fields;
                ps.field(&fields.choose(&mut self.rng).unwrap().name)
            }
            10 => {
                let p = Expr::var("p", Type::INT.pointer());
                // The null check makes it defined; without it some rows are not.
                let value = p.clone().deref();
                if self.rng.random() {
                    Expr::conditional(p, value, Expr::int(9))
                } else {
                    value
                }
            }
            _ => Expr::var("en_x", enumeration()),
        }
    }

    fn element(&mut self, depth: u32) -> Expr {
        let index = self.tree(depth);
        let tame = self.rng.random_ratio(4, 5);
        let within = |index: Expr, len: i32| {
            if !tame {
                return index;
            }
            Expr::binary(BinaryOp::Rem, index.cast(IntKind::UInt), Expr::int(len))
        };
        match self.rng.random_range(0..3) {
            0 => Expr::var("arr", Type::INT.array(7)).index(within(index, 7)),
            1 => {
                let ty = Type::Int(IntKind::Short).array(2).array(3);
                let inner = self.tree(depth.saturating_sub(1));
                Expr::var("grid", ty)
                    .index(within(index, 3))
                    .index(within(inner, 2))
            }
            _ => {
                let ty = Type::record("struct P").array(2);
                let field = if self.rng.random() { "c" } else { "u" };
                Expr::var("sp", ty).index(within(index, 2)).field(field)
            }
        }
    }

    /// A place to write, mostly one that nothing else in the tree touches.
    fn target(&mut self) -> Expr {
        loop {
            let target = match self.rng.random_range(0..8) {
                0 => Expr::var("en_w", enumeration()),
                1 | 2 => {
                    let fields = &self.world.types.get("struct S").unwrap().fields;
                    let field = fields.choose(&mut self.rng).unwrap().name.clone();
                    Expr::var("ws", Type::record("struct S")).field(&field)
                }
                _ => {
                    let kind = self.kind();
                    read("w", kind)
                }
            };
            if !self.written.contains(&target) || self.rng.random_ratio(1, 10) {
                self.written.push(target.clone());
                return target;
            }
            if self.written.len() > 8 {
                return target;
            }
        }
    }

    fn tree(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.rng.random_ratio(1, 12) {
            return self.leaf();
        }
        let depth = depth - 1;
        match self.rng.random_range(0..40) {
            0..=3 => {
                let op = *UnaryOp::ALL.choose(&mut self.rng).unwrap();
                Expr::unary(op, self.tree(depth))
            }
            4..=6 => {
                let kind = self.kind();
                self.tree(depth).cast(kind)
            }
            7..=9 => {
                let op = if self.rng.random() {
                    LogicalOp::And
                } else {
                    LogicalOp::Or
                };
                Expr::logical(op, self.tree(depth), self.tree(depth))
            }
            10..=12 => Expr::conditional(self.tree(depth), self.tree(depth), self.tree(depth)),
            13 => {
                let (left, right) = (self.tree(depth), self.tree(depth));
                // gcc 12 crashes on `(_Bool)(1, 2)`.
                let mut constant = true;
                left.for_each_var(&mut |_| constant = false);
                if constant {
                    right
                } else {
                    Expr::comma(left, right)
                }
            }
            14 => {
                let target = self.target();
                Expr::assign(target, self.tree(depth))
            }
            15 => {
                let op = *BinaryOp::ALL[..10].choose(&mut self.rng).unwrap();
                let target = self.target();
                Expr::compound(op, target, self.tree(depth))
            }
            16 => {
                let op = *StepOp::ALL.choose(&mut self.rng).unwrap();
                Expr::step(op, self.target())
            }
            17 => self.element(depth),
            18 => {
                let ones = self.world.functions["ones"].callee();
                Expr::call(ones, vec![self.tree(depth)])
            }
            19 => {
                let fold = self.world.functions["fold"].callee();
                Expr::call(fold, vec![self.tree(depth), self.tree(depth)])
            }
            _ => {
                let op = *BinaryOp::ALL.choose(&mut self.rng).unwrap();
                let (left, mut right) = (self.tree(depth), self.tree(depth));
                // Wild shift counts are almost never defined.
                if op.is_shift() && self.rng.random_ratio(3, 4) {
                    right = Expr::binary(BinaryOp::BitAnd, right, Expr::int(31));
                }
                Expr::binary(op, left, right)
            }
        }
    }
}

fn is_written(lvalue: &Expr) -> bool {
    let mut written = false;
    lvalue.for_each_var(&mut |var| written |= var.name.starts_with('w') || &*var.name == "en_w");
    written
}
