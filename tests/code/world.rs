//! The variables that generated code uses, with their values in every row, for
//! us as a table and for compilers as C text.

use mestra::code::ctype::{Field, Type, Types};
use mestra::code::eval::Evaluator;
use mestra::code::expr::{Expr, Var};
use mestra::code::op::{BinaryOp, StepOp};
use mestra::code::print::{Style, declare};
use mestra::code::stmt::{Function, Stmt};
use mestra::code::table::{Column, ObjectId, Pointer, State, Table};
use mestra::code::types::{IntKind, Target};
use mestra::code::value::{Value, wrap};
use rand::Rng;
use rand::seq::IndexedRandom;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// A scalar of the world.
pub(super) struct Cell {
    pub(super) lvalue: Expr,
    pub(super) kind: IntKind,
    pub(super) bits: Option<u32>,
}

pub(super) struct World {
    pub(super) types: Types,
    pub(super) table: Table,
    /// The table of each row alone.
    pub(super) singles: Vec<Table>,
    /// Integer scalars, in the order of their columns.
    pub(super) cells: Vec<Cell>,
    pub(super) functions: BTreeMap<Arc<str>, Function>,
    /// Where each of the cells lies in the table.
    places: Vec<(ObjectId, u32)>,
    values: Vec<Vec<i64>>,
    pointers: Vec<i64>,
}

/// Values worth trying: 0, 1, the limits, powers of two and widths, all with
/// their neighbours and negations.
pub(super) fn boundaries(kind: IntKind, target: Target) -> Vec<i128> {
    let (min, max) = (kind.min(target), kind.max(target));
    let mut values = vec![
        min,
        min + 1,
        min + 2,
        max,
        max - 1,
        max - 2,
        min / 2,
        max / 2,
    ];
    for small in 0..4 {
        values.extend([small, -small]);
    }
    for power in [3, 4, 6, 7, 8, 15, 16, 23, 30, 31, 32, 33, 47, 62, 63] {
        let value = 1_i128 << power;
        for near in [value - 1, value, value + 1] {
            values.extend([near, -near]);
        }
    }
    values.extend([7, 8, 15, 16, 30, 31, 32, 33, 62, 63, 64, 65]);
    values.retain(|value| (min..=max).contains(value));
    values.sort_unstable();
    values.dedup();
    values
}

pub(super) fn any_value(rng: &mut impl Rng, kind: IntKind, target: Target) -> i128 {
    if rng.random_ratio(1, 4) {
        // Counts, divisors and indices that make sense.
        return rng.random_range(0..70).min(kind.max(target));
    }
    if rng.random_ratio(2, 3) {
        return *boundaries(kind, target).choose(rng).unwrap();
    }
    // Numbers of every magnitude, not just huge ones.
    let random = rng.random::<i64>() >> rng.random_range(0..64);
    Value::new(kind, i128::from(random), target).math()
}

pub(super) fn enumeration() -> Type {
    Type::enumeration("enum E", IntKind::UInt)
}

fn declare_types(types: &mut Types) {
    use IntKind::*;
    types.define(
        "struct S",
        vec![
            Field::bits("u3", UInt, 3),
            Field::bits("i5", Int, 5),
            Field::bits("i1", Int, 1),
            Field::bits("u31", UInt, 31),
            Field::bits("u32", UInt, 32),
            Field::bits("i32", Int, 32),
            Field::bits("b1", Bool, 1),
            Field::bits("us9", UShort, 9),
            Field::bits("sc7", SChar, 7),
            Field::bits("ul20", ULong, 20),
            Field::bits("sl17", Long, 17),
            Field::bits("ll40", LongLong, 40),
            Field::bits("ull50", ULongLong, 50),
            Field::bits("ll64", LongLong, 64),
            Field::bits("e3", enumeration(), 3),
            Field::new("sh", Short),
            Field::new("ull", ULongLong),
        ],
    );
    types.define(
        "struct P",
        vec![Field::new("c", Char), Field::new("u", UInt)],
    );
}

impl World {
    pub(super) fn new(target: Target, rows: u32, rng: &mut impl Rng) -> World {
        let mut types = Types::new(target);
        declare_types(&mut types);
        let mut variables: Vec<(String, Type)> = Vec::new();
        for kind in IntKind::ALL {
            for role in ["x", "y", "w"] {
                variables.push((name(role, kind), kind.into()));
            }
        }
        for role in ["en_x", "en_w"] {
            variables.push((role.into(), enumeration()));
        }
        variables.push(("s".into(), Type::record("struct S")));
        variables.push(("ws".into(), Type::record("struct S")));
        variables.push(("arr".into(), Type::INT.array(7)));
        variables.push(("grid".into(), Type::Int(IntKind::Short).array(2).array(3)));
        variables.push(("sp".into(), Type::record("struct P").array(2)));
        let mut table = Table::new(rows);
        let mut cells = Vec::new();
        for (name, ty) in &variables {
            table
                .add(&types, name, ty.clone(), State::Uninitialised)
                .unwrap();
            collect(&types, Expr::var(name, ty.clone()), ty, None, &mut cells);
        }
        let evaluator = Evaluator::new(&types);
        let mut values = Vec::new();
        let places = cells
            .iter()
            .map(|cell| evaluator.cell(&cell.lvalue, &table).unwrap());
        let places = places.collect();
        for cell in &cells {
            let signed = cell.kind.signed(target);
            let column: Vec<i64> = (0..rows)
                .map(|_| {
                    let value = Value::new(cell.kind, any_value(rng, cell.kind, target), target);
                    match cell.bits {
                        Some(bits) if cell.kind != IntKind::Bool => {
                            wrap(value.carrier(), bits, signed)
                        }
                        _ => value.carrier(),
                    }
                })
                .collect();
            assert!(evaluator.set(&cell.lvalue, &mut table, Column::values(column.clone())));
            values.push(column);
        }
        // p: null, an int, or an element of an array.
        let x = table.find(&name("x", IntKind::Int)).unwrap();
        let arr = table.find("arr").unwrap();
        let targets = [
            Pointer::Null,
            Pointer::To { object: x, cell: 0 },
            Pointer::To {
                object: arr,
                cell: 2,
            },
        ];
        let pointers: Vec<i64> = (0..rows).map(|row| i64::from(row % 7 % 3)).collect();
        let encoded = pointers
            .iter()
            .map(|which| targets[*which as usize].encode())
            .collect();
        table.add_values("p", Type::INT.pointer(), encoded);
        let s = table.find("s").unwrap();
        let ps = Pointer::To { object: s, cell: 0 }.encode();
        table.add_values(
            "ps",
            Type::record("struct S").pointer(),
            vec![ps; rows as usize],
        );
        let singles = (0..rows).map(|row| table.select(&[row])).collect();
        let functions = functions();
        World {
            types,
            table,
            singles,
            cells,
            functions,
            places,
            values,
            pointers,
        }
    }

    pub(super) fn target(&self) -> Target {
        self.types.target
    }

    pub(super) fn evaluator(&self) -> Evaluator<'_> {
        Evaluator::new(&self.types).with_functions(&self.functions)
    }

    /// The declarations, the rows, and a function that loads a row.
    pub(super) fn to_c(&self) -> String {
        let mut text = String::from("typedef unsigned long long word;\n");
        text.push_str("enum E { E_ZERO, E_ONE, E_MANY = 2147483647 };\n");
        text.push_str(&self.types.to_c());
        for (_, object) in self.table.objects() {
            writeln!(text, "{};", declare(&object.name, &object.ty)).unwrap();
        }
        for function in self.functions.values() {
            text.push_str(&function.to_c(Style::default()));
        }
        let rows = self.table.rows() as usize;
        let width = self.cells.len() + 1;
        writeln!(text, "static const word rows[{rows}][{width}] = {{").unwrap();
        for row in 0..rows {
            text.push('{');
            for column in &self.values {
                write!(text, "{:#x}ULL,", column[row]).unwrap();
            }
            writeln!(text, "{}}},", self.pointers[row]).unwrap();
        }
        text.push_str("};\nstatic void load(int r) {\n    const word *v = rows[r];\n");
        for (index, cell) in self.cells.iter().enumerate() {
            writeln!(text, "    {} = v[{index}];", cell.lvalue).unwrap();
        }
        writeln!(
            text,
            "    p = v[{0}] == 0 ? 0 : v[{0}] == 1 ? &{1} : &arr[2];\n    ps = &s;\n}}",
            width - 1,
            name("x", IntKind::Int)
        )
        .unwrap();
        // A hash of all that can be written.
        text.push_str("static word state(void) {\n    word h = 14695981039346656037ULL;\n");
        for cell in &self.cells {
            writeln!(
                text,
                "    h = (h ^ (word){}) * 1099511628211ULL;",
                cell.lvalue
            )
            .unwrap();
        }
        text.push_str("    return h;\n}\n");
        text
    }

    /// What the generated `state` gives for a row of a table.
    pub(super) fn state(&self, table: &Table, row: u32) -> u64 {
        let mut hash: u64 = 14_695_981_039_346_656_037;
        for (object, cell) in &self.places {
            let value = table.object(*object).get(*cell, row).unwrap();
            hash = (hash ^ value as u64).wrapping_mul(1_099_511_628_211);
        }
        hash
    }
}

/// `x_int`, `y_u_long_long`, …: two to read and one to write of every kind.
pub(super) fn name(role: &str, kind: IntKind) -> String {
    format!(
        "{role}_{}",
        kind.c_name().trim_start_matches('_').replace(' ', "_")
    )
}

fn collect(types: &Types, lvalue: Expr, ty: &Type, bits: Option<u32>, cells: &mut Vec<Cell>) {
    match ty {
        Type::Array { of, len } => {
            for index in 0..*len {
                let element = lvalue.clone().index(Expr::int(index as i32));
                collect(types, element, of, None, cells);
            }
        }
        Type::Record(record) => {
            for field in &types.get(record).unwrap().fields {
                let member = lvalue.clone().field(&field.name);
                collect(types, member, &field.ty, field.bits, cells);
            }
        }
        _ => cells.push(Cell {
            lvalue,
            kind: ty.int_kind().unwrap(),
            bits,
        }),
    }
}

/// Functions that generated code may call.
fn functions() -> BTreeMap<Arc<str>, Function> {
    let var = |name: &str, kind: IntKind| Var {
        name: name.into(),
        ty: kind.into(),
    };
    // Counts the one bits of its argument, in a narrow type.
    let (bits, count) = (var("bits", IntKind::ULong), var("count", IntKind::SChar));
    let ones = Function {
        name: "ones".into(),
        result: IntKind::SChar.into(),
        params: vec![bits.clone()],
        body: Arc::new(Stmt::Block(vec![
            Stmt::declare("count", IntKind::SChar, Some(Expr::int(0))),
            Stmt::while_loop(
                bits.clone().into(),
                Stmt::Block(vec![
                    Stmt::if_then(
                        Expr::binary(BinaryOp::BitAnd, bits.clone().into(), Expr::int(1)),
                        Stmt::Expr(Expr::step(StepOp::PostIncrement, count.clone().into())),
                    ),
                    Stmt::Expr(Expr::compound(BinaryOp::Shr, bits.into(), Expr::int(1))),
                ]),
            ),
            Stmt::Return(Some(count.into())),
        ])),
    };
    // Narrows on the way in and out, recursively.
    let n = var("n", IntKind::UShort);
    let minus_one = Expr::binary(BinaryOp::Sub, n.clone().into(), Expr::int(1));
    let mut fold = Function {
        name: "fold".into(),
        result: IntKind::UChar.into(),
        params: vec![n.clone(), var("k", IntKind::Int)],
        body: Arc::new(Stmt::Empty),
    };
    let masked = Expr::binary(BinaryOp::BitAnd, minus_one, Expr::int(7));
    let again = Expr::call(fold.callee(), vec![masked, Expr::int(3)]);
    let folded = Expr::binary(BinaryOp::BitXor, again, var("k", IntKind::Int).into());
    fold.body = Arc::new(Stmt::Block(vec![Stmt::if_else(
        Expr::binary(BinaryOp::Lt, n.clone().into(), Expr::int(2)),
        Stmt::Return(Some(n.into())),
        Stmt::Return(Some(folded)),
    )]));
    [ones, fold]
        .into_iter()
        .map(|function| (function.name.clone(), function))
        .collect()
}
