//! Random statements: what we say they do against what compilers make of
//! them, and against what we say over ranges.

use super::build::{CLANG, Compiler, GCC, OLD_CLANG, PCC, TCC, words};
use super::generate::Generator;
use super::values::tcc_defect;
use super::world::{World, enumeration, name};
use mestra::code::ctype::Type;
use mestra::code::eval::Exit;
use mestra::code::expr::Expr;
use mestra::code::op::{BinaryOp, StepOp};
use mestra::code::print::{Parens, Style};
use mestra::code::range::Ranges;
use mestra::code::stmt::{Declaration, Init, Part, Stmt};
use mestra::code::table::Table;
use mestra::code::trouble::{Cause, Stop};
use mestra::code::types::{IntKind, Target};
use mestra::code::value::Value;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::fmt::Write;
use tempfile::TempDir;

/// Makes random statements that mostly stay defined.
struct Maker<'w> {
    exprs: Generator<'w, ChaCha8Rng>,
    rng: ChaCha8Rng,
    /// The number of the next name.
    next: u32,
    /// Locals in scope.
    locals: Vec<(String, IntKind)>,
    loops: u32,
    /// Whether calls and pointers may appear: ranges cannot follow them.
    plain: bool,
}

impl<'w> Maker<'w> {
    fn new(world: &'w World, seed: u64, plain: bool) -> Maker<'w> {
        let exprs = Generator::new(world, ChaCha8Rng::seed_from_u64(seed));
        let rng = ChaCha8Rng::seed_from_u64(seed ^ 0xabcdef);
        Maker {
            exprs,
            rng,
            next: 0,
            locals: Vec::new(),
            loops: 0,
            plain,
        }
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.next += 1;
        format!("{prefix}{}", self.next)
    }

    /// A value that is mostly defined: unsigned arithmetic over anything.
    fn value(&mut self) -> Expr {
        if self.rng.random_ratio(1, 6) {
            return self.exprs.expr(2);
        }
        let op = [
            BinaryOp::Add,
            BinaryOp::Sub,
            BinaryOp::Mul,
            BinaryOp::BitXor,
            BinaryOp::BitAnd,
        ];
        let op = *op.choose(&mut self.rng).unwrap();
        let left = self.leaf().cast(IntKind::ULong);
        Expr::binary(op, left, self.leaf().cast(IntKind::UInt))
    }

    fn leaf(&mut self) -> Expr {
        let kind = *IntKind::ALL.choose(&mut self.rng).unwrap();
        match self.rng.random_range(0..6) {
            0 | 1 if !self.locals.is_empty() => {
                let (name, kind) = self.locals.choose(&mut self.rng).unwrap();
                Expr::var(name, *kind)
            }
            0 | 2 => Expr::int(self.rng.random_range(-3..40)),
            1 | 3 => Expr::var(&name("w", kind), kind),
            4 => Expr::var("ws", Type::record("struct S")).field("i5"),
            _ => Expr::var(&name("x", kind), kind),
        }
    }

    fn condition(&mut self) -> Expr {
        let ops = [BinaryOp::Lt, BinaryOp::Ge, BinaryOp::Eq, BinaryOp::BitAnd];
        let op = *ops.choose(&mut self.rng).unwrap();
        let left = self.leaf();
        Expr::binary(op, left, self.leaf())
    }

    fn target(&mut self) -> Expr {
        let kind = *IntKind::ALL.choose(&mut self.rng).unwrap();
        match self.rng.random_range(0..8) {
            0 => Expr::var("ws", Type::record("struct S")).field("us9"),
            1 => Expr::var("ws", Type::record("struct S")).field("i5"),
            2 => Expr::var("en_w", enumeration()),
            3 => {
                let index = self.value().cast(IntKind::UInt);
                let index = Expr::binary(BinaryOp::Rem, index, Expr::int(7));
                Expr::var("arr", Type::INT.array(7)).index(index)
            }
            _ => Expr::var(&name("w", kind), kind),
        }
    }

    fn block(&mut self, depth: u32) -> Stmt {
        let known = self.locals.len();
        let mut items = Vec::new();
        for _ in 0..self.rng.random_range(0..3) {
            items.push(self.declaration());
        }
        for _ in 0..self.rng.random_range(1..4) {
            self.stmt(depth, &mut items);
        }
        self.locals.truncate(known);
        Stmt::Block(items)
    }

    fn declaration(&mut self) -> Stmt {
        let (local, kind) = (
            self.fresh("v"),
            *IntKind::ALL.choose(&mut self.rng).unwrap(),
        );
        // One in ten has no value, and reading it is undefined.
        let init = if self.rng.random_ratio(9, 10) {
            Some(self.value())
        } else {
            None
        };
        let stmt = Stmt::declare(&local, kind, init);
        self.locals.push((local, kind));
        stmt
    }

    fn assignment(&mut self) -> Stmt {
        Stmt::Expr(match self.rng.random_range(0..5) {
            0 => {
                let op = *StepOp::ALL.choose(&mut self.rng).unwrap();
                Expr::step(op, self.target())
            }
            1 => {
                let op = *[BinaryOp::Add, BinaryOp::BitXor, BinaryOp::Sub]
                    .choose(&mut self.rng)
                    .unwrap();
                let target = self.target();
                Expr::compound(op, target, self.value())
            }
            2 if !self.locals.is_empty() => {
                let (name, kind) = self.locals.choose(&mut self.rng).unwrap().clone();
                Expr::assign(Expr::var(&name, kind), self.value())
            }
            _ => {
                let target = self.target();
                Expr::assign(target, self.value())
            }
        })
    }

    fn stmt(&mut self, depth: u32, items: &mut Vec<Stmt>) {
        if depth == 0 {
            items.push(self.assignment());
            return;
        }
        let depth = depth - 1;
        match self.rng.random_range(0..16) {
            0 => items.push(self.block(depth)),
            1 | 2 => {
                let (condition, yes) = (self.condition(), self.block(depth));
                let no = self.block(depth);
                items.push(Stmt::if_else(condition, yes, no));
            }
            3 => {
                let condition = self.condition();
                items.push(Stmt::if_then(condition, self.block(depth)));
            }
            4..=6 => items.push(self.counted(depth)),
            7 => items.push(self.switch(depth)),
            8 => {
                // Forward, over some statements.
                let label = self.fresh("l");
                let jump = Stmt::Goto(label.as_str().into());
                items.push(Stmt::if_then(self.condition(), jump));
                items.push(self.block(depth));
                items.push(Stmt::Label(label.as_str().into()));
                items.push(self.assignment());
            }
            9 => {
                // Into a block, past an initialiser.
                let label = self.fresh("l");
                let local = self.fresh("v");
                let jump = Stmt::Goto(label.as_str().into());
                items.push(Stmt::if_then(self.condition(), jump));
                let read = Expr::assign(self.target(), Expr::var(&local, IntKind::Int));
                items.push(Stmt::Block(vec![
                    Stmt::declare(&local, IntKind::Int, Some(Expr::int(3))),
                    Stmt::Expr(read),
                    Stmt::Label(label.as_str().into()),
                    self.assignment(),
                ]));
            }
            10 if self.loops > 0 => {
                let jump = if self.rng.random() {
                    Stmt::Break
                } else {
                    Stmt::Continue
                };
                items.push(Stmt::if_then(self.condition(), jump));
            }
            11 if self.rng.random_ratio(1, 4) => {
                items.push(Stmt::if_then(self.condition(), Stmt::Return(None)));
            }
            12 => {
                let value = self.value();
                items.push(Stmt::use_value(IntKind::UChar, value));
            }
            13 => items.push(self.aggregate()),
            14 if !self.plain => items.push(self.pointer()),
            _ => items.push(self.assignment()),
        }
    }

    /// A loop of any kind that counts.
    fn counted(&mut self, depth: u32) -> Stmt {
        let (counter, bound) = (self.fresh("i"), self.rng.random_range(1..5));
        let i = || Expr::var(&counter, IntKind::Int);
        let more = || Expr::binary(BinaryOp::Lt, i(), Expr::int(bound));
        let next = || Expr::step(StepOp::PostIncrement, i());
        self.loops += 1;
        self.locals.push((counter.clone(), IntKind::Int));
        let body = self.block(depth);
        self.locals.pop();
        self.loops -= 1;
        let start = Stmt::declare(&counter, IntKind::Int, Some(Expr::int(0)));
        let looped = match self.rng.random_range(0..4) {
            0 => {
                let condition = Expr::binary(BinaryOp::Lt, next(), Expr::int(bound));
                Stmt::while_loop(condition, body)
            }
            1 => {
                let condition = Expr::binary(
                    BinaryOp::Lt,
                    Expr::step(StepOp::PreIncrement, i()),
                    Expr::int(bound),
                );
                Stmt::do_loop(body, condition)
            }
            2 if !contains_continue(&body) => {
                // The same with a label and a jump back.
                let label = self.fresh("l");
                let jump = Stmt::Goto(label.as_str().into());
                return Stmt::Block(vec![
                    start,
                    Stmt::Label(label.as_str().into()),
                    Stmt::switch(Expr::int(0), Stmt::Block(vec![Stmt::Default, body])),
                    Stmt::Expr(next()),
                    Stmt::if_then(more(), jump),
                ]);
            }
            _ => Stmt::for_loop(Expr::assign(i(), Expr::int(0)), more(), next(), body),
        };
        Stmt::Block(vec![start, looped])
    }

    fn switch(&mut self, depth: u32) -> Stmt {
        let value = Expr::binary(BinaryOp::BitAnd, self.leaf(), Expr::int(3));
        let mut items = Vec::new();
        self.loops += 1;
        let kinds = [IntKind::Int, IntKind::UChar, IntKind::LongLong];
        for case in 0..self.rng.random_range(1..4) {
            let kind = *kinds.choose(&mut self.rng).unwrap();
            items.push(Stmt::Case(Value::new(kind, case, Target::LP64)));
            items.push(self.block(depth));
            if self.rng.random() {
                items.push(Stmt::Break);
            }
        }
        if self.rng.random() {
            items.insert(self.rng.random_range(0..=items.len()), Stmt::Default);
        }
        self.loops -= 1;
        // A `continue` in here would need a loop around.
        let switch = Stmt::switch(value, Stmt::Block(items));
        if self.loops == 0 && contains_continue(&switch) {
            self.assignment()
        } else {
            switch
        }
    }

    /// Arrays and structs: lists, copies, elements.
    fn aggregate(&mut self) -> Stmt {
        let (array, record) = (self.fresh("a"), self.fresh("r"));
        let list = Init::List(vec![Init::Value(self.value()), Init::Value(self.value())]);
        let array_type = Type::Int(IntKind::Short).array(3);
        let struct_type = Type::record("struct S");
        let Stmt::Declare(declared) = Stmt::declare(&array, array_type.clone(), None) else {
            unreachable!()
        };
        let index = Expr::binary(BinaryOp::Rem, self.leaf().cast(IntKind::UInt), Expr::int(3));
        let element = Expr::var(&array, array_type).index(index);
        let copy = Expr::var(&record, struct_type.clone());
        Stmt::Block(vec![
            Stmt::Declare(Declaration {
                init: Some(list),
                ..declared
            }),
            Stmt::declare(
                &record,
                struct_type.clone(),
                Some(Expr::var("s", struct_type.clone())),
            ),
            Stmt::Expr(Expr::assign(copy.clone().field("u3"), element)),
            Stmt::Expr(Expr::assign(Expr::var("ws", struct_type), copy)),
        ])
    }

    fn pointer(&mut self) -> Stmt {
        let (pointer, local) = (self.fresh("p"), self.fresh("v"));
        let ty = Type::Int(IntKind::UInt).pointer();
        let through = Expr::var(&pointer, ty.clone()).deref();
        let target = self.target();
        Stmt::Block(vec![
            Stmt::declare(&local, IntKind::UInt, Some(self.value())),
            Stmt::declare(
                &pointer,
                ty,
                Some(Expr::var(&local, IntKind::UInt).address_of()),
            ),
            Stmt::Expr(Expr::compound(BinaryOp::Add, through, self.value())),
            Stmt::Expr(Expr::assign(target, Expr::var(&local, IntKind::UInt))),
        ])
    }

    /// A whole statement that is C.
    fn whole(&mut self, depth: u32) -> Stmt {
        loop {
            self.locals.clear();
            let stmt = self.block(depth);
            match self.exprs.world.types.check(&stmt) {
                Ok(()) => return stmt,
                Err(mistake) => {
                    // A type that compilers disagree on, in arithmetic.
                    assert!(mistake.what.contains("disagree"), "{mistake}\n{stmt}");
                }
            }
        }
    }
}

fn contains_continue(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Continue)
        || stmt.parts().into_iter().any(|part| match part {
            Part::Stmt(stmt) => contains_continue(stmt),
            Part::Expr(_) => false,
        })
}

/// A statement with the state after it in every row, or why there is none.
struct Case {
    stmt: Stmt,
    rows: Vec<Result<u64, Cause>>,
}

impl Case {
    fn new(world: &World, stmt: Stmt) -> Case {
        let evaluator = world.evaluator();
        let mut rows = Vec::new();
        let mut good = Vec::new();
        for (row, single) in world.singles.iter().enumerate() {
            rows.push(match evaluator.run(&stmt, single) {
                Ok(outcome) => {
                    good.push(row as u32);
                    assert!(matches!(outcome.exits[0], Exit::End | Exit::Return(None)));
                    Ok(world.state(&outcome.table, 0))
                }
                Err(Stop::Trouble(trouble)) => {
                    assert!(stmt.at(&trouble.path).is_some() || trouble.function.is_some());
                    Err(trouble.cause)
                }
                Err(Stop::Mistake(mistake)) => panic!("{mistake}\n{stmt}"),
            });
        }
        let together = evaluator.run(&stmt, &world.table.select(&good)).unwrap();
        for (position, row) in good.iter().enumerate() {
            let state = world.state(&together.table, position as u32);
            assert_eq!(
                Ok(state),
                rows[*row as usize],
                "row {row} among others\n{stmt}"
            );
        }
        Case { stmt, rows }
    }
}

fn program(world: &World, cases: &[Case]) -> String {
    let mut text = String::from("extern int putchar(int);\n");
    text.push_str(&world.to_c());
    text.push_str("static void put(word w) { int i; for (i = 0; i < 8; i++) ");
    text.push_str("putchar((int)(w >> 8 * i & 255)); }\n");
    for (index, case) in cases.iter().enumerate() {
        let style = Style {
            parens: Parens::Some(index as u64),
        };
        let body = case.stmt.to_c(style, 1);
        writeln!(text, "static void s{index}(void) {{\n{body}}}").unwrap();
    }
    let groups = world.singles.len().div_ceil(8);
    text.push_str("static const struct { void (*run)(void); unsigned char good");
    writeln!(text, "[{groups}]; }} cases[] = {{").unwrap();
    for (index, case) in cases.iter().enumerate() {
        write!(text, "{{s{index}, {{").unwrap();
        for group in case.rows.chunks(8) {
            let bits = group.iter().enumerate();
            let mask: u32 = bits.map(|(bit, row)| u32::from(row.is_ok()) << bit).sum();
            write!(text, "{mask},").unwrap();
        }
        text.push_str("}},\n");
    }
    writeln!(
        text,
        "}};\nint main(void) {{\n    int c, r;\n    for (c = 0; c < {}; c++)\n        \
         for (r = 0; r < {}; r++)\n            if (cases[c].good[r / 8] >> r % 8 & 1) {{\n                \
         load(r); cases[c].run(); put(state());\n            }}\n    return 0;\n}}",
        cases.len(),
        world.singles.len()
    )
    .unwrap();
    text
}

fn compare(cases: &[Case], text: &str, compiler: &Compiler) -> usize {
    let output = words(&compiler.output(text, &[]));
    let mut output = output.into_iter();
    let (mut compared, mut wrong) = (0, 0);
    for case in cases {
        for (row, expected) in case.rows.iter().enumerate() {
            let Ok(expected) = expected else { continue };
            compared += 1;
            let theirs = output.next();
            if theirs != Some(*expected) {
                // gcc and clang, which agree with us, are compared first.
                let excused = compiler.name == "tcc" && tcc_is_wrong(&case.stmt);
                assert!(excused, "{} row {row}\n{}", compiler.name, case.stmt);
                wrong += 1;
            }
        }
    }
    assert_eq!(output.next(), None);
    assert!(wrong * 500 < compared, "{wrong} of {compared} runs excused");
    compared
}

/// Whether a statement has an expression that tcc is known to get wrong.
fn tcc_is_wrong(stmt: &Stmt) -> bool {
    stmt.parts().into_iter().any(|part| match part {
        Part::Stmt(stmt) => tcc_is_wrong(stmt),
        Part::Expr(expr) => tcc_defect(expr).is_some(),
    })
}

#[test]
fn statements_do_what_gcc_clang_and_tcc_make_of_them() {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let world = World::new(Target::LP64, 24, &mut rng);
    let mut maker = Maker::new(&world, 22, false);
    let cases: Vec<Case> = (0..800)
        .map(|index| Case::new(&world, maker.whole(1 + index % 3)))
        .collect();
    let mut causes: BTreeMap<Cause, usize> = BTreeMap::new();
    for cause in cases
        .iter()
        .flat_map(|case| &case.rows)
        .filter_map(|row| row.err())
    {
        *causes.entry(cause).or_default() += 1;
    }
    let size: usize = cases.iter().map(|case| case.stmt.size()).sum();
    let text = program(&world, &cases);
    for compiler in [&GCC, &CLANG, &TCC] {
        let runs = compare(&cases, &text, compiler);
        println!(
            "{}: {} statements, {size} nodes, {runs} runs",
            compiler.name,
            cases.len()
        );
        assert!(runs > 5_000, "only {runs}");
    }
    println!("stopped: {causes:?}");
    // What we call defined, the sanitizers find nothing wrong with.
    let undefined = CLANG.with(&[
        "-w",
        "-fsanitize=undefined,address",
        "-fno-sanitize-recover=all",
    ]);
    let memory = CLANG.with(&["-w", "-fsanitize=memory"]);
    for sanitizer in [undefined, memory] {
        let runs = compare(&cases, &text, &sanitizer);
        println!("{:?}: {runs} runs clean", sanitizer.flags);
    }
    // Compilers that need not run it must still take it.
    let dir = TempDir::new().unwrap();
    for compiler in [
        GCC.with(&["-w", "-std=gnu89"]),
        GCC.with(&["-w", "-std=gnu89", "-m32"]),
        OLD_CLANG.with(&["-w", "-std=gnu89"]),
        PCC.with(&["-w"]),
    ] {
        if let Err(messages) = compiler.accepts(dir.path(), &text) {
            let first: Vec<&str> = messages.lines().take(10).collect();
            panic!("{compiler:?}: {}", first.join("\n"));
        }
    }
}

/// Rows of a table with every cell picked from its range on its own.
fn mixed(world: &World, picked: &Table, rows: u32, rng: &mut ChaCha8Rng) -> Table {
    use mestra::code::table::Column;
    let evaluator = world.evaluator();
    let mut table = picked.select(&vec![0; rows as usize]);
    let ranges = Ranges::of_table(&world.types, picked);
    for cell in &world.cells {
        let (object, index) = evaluator.cell(&cell.lvalue, &table).unwrap();
        let range = ranges.get(object, index).unwrap();
        let values = (0..rows).map(|_| {
            // Something between the bounds, if its bits are right.
            let span = (range.hi() - range.lo()) as u64;
            let between = range.lo() + i128::from(rng.random_range(0..=span));
            let row = rng.random_range(0..picked.rows());
            let seen = picked.object(object).get(index, row).unwrap();
            if range.contains(between) && rng.random() {
                between as i64
            } else {
                seen
            }
        });
        table.set(object, index, Column::values(values.collect()));
    }
    table
}

#[test]
fn ranges_contain_every_row() {
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    let world = World::new(Target::LP64, 64, &mut rng);
    let mut generator = Generator::new(&world, ChaCha8Rng::seed_from_u64(32));
    let evaluator = world.evaluator();
    let (mut known, mut defined, mut exact, mut values) = (0, 0, 0, 0);
    for round in 0..400 {
        let picked: Vec<u32> = (0..1 + round % 4)
            .map(|_| rng.random_range(0..world.table.rows()))
            .collect();
        let picked = world.table.select(&picked);
        let ranges = Ranges::of_table(&world.types, &picked);
        let table = mixed(&world, &picked, 16, &mut rng);
        for depth in 0..25 {
            let expr = generator.expr(1 + depth % 4);
            let rows = evaluator.value(&expr, &table);
            defined += u32::from(rows.is_ok());
            let Ok((ty, range)) = evaluator.range(&expr, &ranges) else {
                continue;
            };
            known += 1;
            let rows = match rows {
                Ok(rows) => rows,
                Err(stop) => panic!("ranges saw no trouble, but {stop}: {expr}"),
            };
            assert_eq!(ty, rows.ty);
            exact += u32::from(range.only().is_some());
            for carrier in rows.values {
                let value = Value::from_carrier(ty.int_kind().unwrap(), carrier);
                values += 1;
                assert!(
                    range.contains(value.math()),
                    "{:?} of {expr}: {range:?}",
                    value.math()
                );
            }
        }
    }
    println!(
        "ranges: 10000 expressions, {defined} defined in all rows, {known} of them seen by \
         ranges ({exact} to one value), {values} values contained"
    );
    assert!(
        known > 2_000 && known * 3 > defined,
        "ranges hardly see anything"
    );
}

#[test]
fn ranges_of_statements_contain_every_row() {
    let mut rng = ChaCha8Rng::seed_from_u64(41);
    let world = World::new(Target::LP64, 64, &mut rng);
    let mut maker = Maker::new(&world, 42, true);
    let evaluator = world.evaluator();
    let (mut known, mut defined) = (0, 0);
    for round in 0..1_500 {
        let picked: Vec<u32> = (0..1 + round % 3)
            .map(|_| rng.random_range(0..world.table.rows()))
            .collect();
        let picked = world.table.select(&picked);
        let ranges = Ranges::of_table(&world.types, &picked);
        let table = mixed(&world, &picked, 8, &mut rng);
        let stmt = maker.whole(1 + round % 3);
        let rows = evaluator.run(&stmt, &table);
        defined += u32::from(rows.is_ok());
        let Ok(outcome) = evaluator.run_ranges(&stmt, &ranges) else {
            continue;
        };
        known += 1;
        let rows = match rows {
            Ok(rows) => rows,
            Err(stop) => panic!("ranges saw no trouble, but {stop}\n{stmt}"),
        };
        assert!(!outcome.ends || rows.ends(), "{stmt}");
        for cell in &world.cells {
            let (object, index) = evaluator.cell(&cell.lvalue, &table).unwrap();
            let range = outcome.ranges.get(object, index).unwrap();
            for row in 0..table.rows() {
                let carrier = rows.table.object(object).get(index, row).unwrap();
                let math = Value::from_carrier(cell.kind, carrier).math();
                assert!(
                    range.contains(math),
                    "{} = {math}: {range:?}\n{stmt}",
                    cell.lvalue
                );
            }
        }
    }
    println!("ranges: 1500 statements, {defined} defined in all rows, {known} seen by ranges");
    assert!(known > 200, "ranges hardly see anything");
}
