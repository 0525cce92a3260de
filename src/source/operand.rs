//! Sub-expressions of a statement that another expression may replace, and what the
//! replacement may read.
//!
//! An operand is a number that is computed at most once, right after the point of
//! its statement. So it is computed from the values seen at the point, unless something in
//! the statement changes them first or at the same time.

use super::fit::{self, Unfit};
use super::open::is_libm;
use super::program::{
    Conversion, Effects, ExprId, ExprKind, Meaning, PartRole, Program, SeedType, Span, Statement,
    StatementId, StatementKind, StatementPart, VariableId,
};
use super::writes::{FunctionWrites, Writes, takes_numbers_only};
use crate::code::ctype::Type;
use crate::code::scalar::FloatKind;
use crate::code::types::IntKind;

/// An expression that can be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SeedOperand {
    pub(crate) id: ExprId,
    /// Its text, with the parentheses around it.
    pub(crate) span: Span,
    pub(crate) kind: OperandKind,
}

/// The type of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperandKind {
    Int(IntKind),
    Float(FloatKind),
}

impl OperandKind {
    /// The type, if it is an integer's.
    pub(crate) fn int(self) -> Option<IntKind> {
        match self {
            OperandKind::Int(kind) => Some(kind),
            OperandKind::Float(_) => None,
        }
    }
}

impl From<OperandKind> for Type {
    fn from(kind: OperandKind) -> Type {
        match kind {
            OperandKind::Int(kind) => kind.into(),
            OperandKind::Float(kind) => kind.into(),
        }
    }
}

/// All operands of a statement whose values are used; none if no code may be put before
/// the statement.
pub(crate) fn all(program: &Program, at: StatementId) -> Vec<SeedOperand> {
    let ids = ids(program, at).filter(|id| !is_discarded(program, *id));
    ids.filter_map(|id| operand(program, at, id).ok()).collect()
}

/// Whether a statement has any operands.
pub(crate) fn has_any(program: &Program, at: StatementId) -> bool {
    ids(program, at).any(|id| !is_discarded(program, id) && operand(program, at, id).is_ok())
}

/// Whether the value is discarded by a comma operator.
fn is_discarded(program: &Program, id: ExprId) -> bool {
    let parent = |id: ExprId| program.expr(id).parent;
    let around = std::iter::successors(Some(id), |id| parent(*id));
    let mut pairs = around.filter_map(|inner| Some((inner, parent(inner)?)));
    pairs.any(|(inner, outer)| {
        let is_comma = program.expr(outer).kind == ExprKind::Comma;
        is_comma && program.operands(outer).last() != Some(inner)
    })
}

/// The expressions that are computed at most once.
fn ids(program: &Program, at: StatementId) -> impl Iterator<Item = ExprId> + '_ {
    let statement = fit::point(program, at).ok();
    let statement = statement.filter(|statement| !declares_type(program, statement));
    let parts = statement.into_iter().flat_map(|statement| {
        let parts = statement.parts.iter();
        parts.filter(|part| is_computed_once(&statement.kind, part.role))
    });
    parts.flat_map(|part| part.exprs.clone()).map(ExprId)
}

/// The operand of a statement with this text.
pub(crate) fn find(program: &Program, at: StatementId, span: Span) -> Result<SeedOperand, Unfit> {
    let statement = fit::point(program, at)?;
    if declares_type(program, statement) {
        return Err(Unfit::NoOperand("the statement may declare a type"));
    }
    let parts = statement.parts.iter();
    let ids = parts.flat_map(|part| part.exprs.clone()).map(ExprId);
    let mut of_text = ids.filter(|id| program.expr(*id).editable() == Some(span));
    match of_text.next() {
        Some(id) => operand(program, at, id),
        None => Err(Unfit::NoOperand("there is none with this text")),
    }
}

/// What may be changed before or while an operand is computed, including by the operand
/// itself.
pub(crate) fn interference(
    program: &Program,
    writes: &FunctionWrites,
    at: StatementId,
    operand: SeedOperand,
) -> Writes {
    let mut found = Writes::default();
    let mut add = |ids: &mut dyn Iterator<Item = ExprId>| {
        for id in ids {
            found.add(&writes.of(program, id));
        }
    };
    let statement = program.statement(at);
    let earlier = statement.parts.iter();
    let earlier = earlier.take_while(|part| !part.exprs.contains(&operand.id.0));
    add(&mut earlier.flat_map(|part| part.exprs.clone()).map(ExprId));
    add(&mut program.subtree(operand.id));
    let mut inner = operand.id;
    while let Some(outer) = program.expr(inner).parent {
        // An operator writes only after its operands have been computed.
        let is_sequenced = matches!(
            program.expr(outer).kind,
            ExprKind::Logical(_) | ExprKind::Comma | ExprKind::Conditional
        );
        for sibling in program.operands(outer) {
            let is_later = is_sequenced && sibling > inner;
            if sibling != inner && !is_later {
                add(&mut program.subtree(sibling));
            }
        }
        inner = outer;
    }
    found
}

/// Whether a variable still has its value from before the statement when the operand is
/// computed, given what may be changed until then.
pub(crate) fn is_steady(program: &Program, at: StatementId, changed: &Writes, name: &str) -> bool {
    let meaning = program.name_at(at, name).map(|known| known.meaning);
    let is_changed = match meaning {
        Some(Meaning::Variable(variable)) => changed.may_write(program, variable),
        _ => true,
    };
    !is_changed && keeps_meaning(program, at, name)
}

/// Whether a name means in the statement's expressions what it means at its point.
pub(crate) fn keeps_meaning(program: &Program, at: StatementId, name: &str) -> bool {
    let variables: &[VariableId] = match &program.statement(at).kind {
        StatementKind::Declaration { variables } | StatementKind::For { variables, .. } => {
            variables
        }
        _ => &[],
    };
    let mut variables = variables.iter();
    variables.all(|variable| program.variable(*variable).name != name)
}

/// Whether the value may be one that nobody has written. C lets programs copy such a
/// value, byte by byte or in larger pieces, but not compute with it.
pub(crate) fn may_be_unwritten(program: &Program, operand: SeedOperand) -> bool {
    let kind = |id: ExprId| program.expr(id).kind;
    let mut copied = operand.id;
    while let (ExprKind::Cast, Some(inner)) = (kind(copied), program.operands(copied).next()) {
        copied = inner;
    }
    let is_byte = |id: ExprId| match program.types.get(program.expr(id).ty.id) {
        SeedType::Int(kind) => kind.rank() == IntKind::UChar.rank(),
        _ => false,
    };
    let is_given = |id: ExprId| kind(id).is_lvalue() || matches!(kind(id), ExprKind::Call(_));
    is_given(copied)
        || program
            .subtree(copied)
            .any(|id| is_given(id) && is_byte(id))
}

/// Whether a statement may declare a struct, union or enum. The constants of an enum hide
/// variables from there on: after `sizeof(enum { k })`, `k` means something else in the
/// same expression.
fn declares_type(program: &Program, statement: &Statement) -> bool {
    let is_declaration = matches!(statement.kind, StatementKind::Declaration { .. });
    let text = || program.text(statement.span);
    fit::declares_type(program, statement)
        || (is_declaration && program.type_macros.may_declare(text()))
}

fn is_computed_once(statement: &StatementKind, role: PartRole) -> bool {
    match role {
        PartRole::Value | PartRole::Init | PartRole::Declarator(_) => true,
        PartRole::Condition => matches!(
            statement,
            StatementKind::If { .. } | StatementKind::Switch { .. }
        ),
        PartRole::Step | PartRole::CaseValue | PartRole::OtherDeclaration => false,
    }
}

fn operand(program: &Program, at: StatementId, id: ExprId) -> Result<SeedOperand, Unfit> {
    let statement = program.statement(at);
    let mut parts = statement.parts.iter();
    let part = parts.find(|part| part.exprs.contains(&id.0));
    let part = part.filter(|part| is_computed_once(&statement.kind, part.role));
    let no = |why| Err(Unfit::NoOperand(why));
    let Some(part) = part else {
        return no("it may be computed more than once");
    };
    let expr = program.expr(id);
    let kind = match *program.types.get(expr.ty.id) {
        SeedType::Int(kind) => OperandKind::Int(kind),
        SeedType::Float(kind) if kind.precision().is_some() => OperandKind::Float(kind),
        _ => return no("it is not a number that is computed with"),
    };
    if expr.is_constant || !expr.is_evaluated {
        return no("its place needs a constant");
    }
    let is_value = !expr.kind.is_lvalue() || expr.conversion == Conversion::Read;
    if !is_value || !is_plain(program, id) {
        return no("not only its value matters");
    }
    if expr.is_in_macro {
        return no("a macro has a part of it");
    }
    let root = place(program, id)?;
    if let PartRole::Declarator(variable) = part.role
        && program.variable(variable).initial != Some(root)
    {
        return no("it is not an initialiser");
    }
    if decides_as_constant(program, part, id) {
        return no("compilers leave out code by it");
    }
    Ok(SeedOperand {
        id,
        span: expr.outer,
        kind,
    })
}

/// Whether the value has the type that the expression says: bit-fields promote by their
/// width, also when they are assigned to.
fn is_plain(program: &Program, id: ExprId) -> bool {
    match program.expr(id).kind {
        ExprKind::Integer(_)
        | ExprKind::Floating
        | ExprKind::Variable(_)
        | ExprKind::Subscript
        | ExprKind::Deref
        | ExprKind::Unary(_)
        | ExprKind::Binary(_)
        | ExprKind::Logical(_)
        | ExprKind::Conditional
        | ExprKind::Cast
        | ExprKind::Call(_) => true,
        ExprKind::Member { record, field } => {
            let fields = program.types.record(record).fields.as_ref();
            let field = fields.and_then(|fields| fields.get(field as usize));
            field.is_some_and(|field| field.bit_width.is_none())
        }
        _ => false,
    }
}

/// The whole expression around an operand, if everything in between treats any value of
/// the same type as it treats the operand.
fn place(program: &Program, id: ExprId) -> Result<ExprId, Unfit> {
    let mut inner = id;
    loop {
        // A constant 0 is a null pointer, and nothing else is.
        let expr = program.expr(inner);
        let becomes = |ty| matches!(program.types.get(ty), SeedType::Pointer { .. });
        let is_pointer = becomes(expr.ty.id);
        if becomes(expr.converted) && !is_pointer && !program.types.is_array(expr.ty.id) {
            return Err(Unfit::NoOperand("it may be a null pointer"));
        }
        let Some(outer) = expr.parent else {
            return Ok(inner);
        };
        // A constant becomes all lanes of a vector where its value fits, whatever its type.
        let is_vector = |ty| matches!(program.types.get(ty), SeedType::Vector { .. });
        if is_vector(program.expr(outer).ty.id) && !is_vector(expr.ty.id) {
            return Err(Unfit::NoOperand("it may become lanes of a vector"));
        }
        let why = match program.expr(outer).kind {
            ExprKind::Cast if becomes(program.expr(outer).ty.id) => "it may be a null pointer",
            // Compilers compute the values of known arguments more exactly than libraries do.
            ExprKind::Call(Some(function)) if is_libm(&program.function(function).name) => {
                "the last digits depend on whether it is a constant"
            }
            // Builtins may need constants.
            ExprKind::Call(Some(function))
                if program.function(function).name.starts_with('_')
                    || (program.function(function).definition.is_none()
                        && !takes_numbers_only(program, function)
                        && is_literal(program, inner)) =>
            {
                "the function may need a constant"
            }
            ExprKind::Subscript
            | ExprKind::Member { .. }
            | ExprKind::Deref
            | ExprKind::AddressOf
            | ExprKind::Unary(_)
            | ExprKind::Binary(_)
            | ExprKind::Logical(_)
            | ExprKind::Comma
            | ExprKind::Assign
            | ExprKind::CompoundAssign(Some(_))
            | ExprKind::Step(_)
            | ExprKind::Conditional
            | ExprKind::Call(_)
            | ExprKind::Cast => {
                inner = outer;
                continue;
            }
            _ => "the expression around it is not understood",
        };
        return Err(Unfit::NoOperand(why));
    }
}

/// Whether it is a constant.
fn is_literal(program: &Program, id: ExprId) -> bool {
    let changes = Effects::READS | Effects::CALLS | Effects::WRITES | Effects::UNKNOWN;
    !program
        .expr(id)
        .effects
        .intersects(changes | Effects::VOLATILE)
}

/// Whether the operand is part of, or contains, a constant that makes even compilers without
/// optimisation leave out code. Such code may name what is defined nowhere.
fn decides_as_constant(program: &Program, part: &StatementPart, id: ExprId) -> bool {
    let mut constant = id;
    if !is_literal(program, constant) {
        let is_logical = matches!(program.expr(id).kind, ExprKind::Logical(_));
        let mut operands = program.operands(id);
        let decides =
            |inner| is_literal(program, inner) || decides_as_constant(program, part, inner);
        return is_logical && operands.any(decides);
    }
    loop {
        match program.expr(constant).parent {
            None => return part.role == PartRole::Condition,
            Some(outer) if is_literal(program, outer) => constant = outer,
            Some(outer) => {
                return match program.expr(outer).kind {
                    ExprKind::Logical(_) => true,
                    ExprKind::Conditional => program.operands(outer).next() == Some(constant),
                    _ => false,
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::clang::Clang;
    use super::super::program::lower;
    use super::*;
    use std::path::Path;

    const SEED: &str = "
        int g, h, *p = &h;
        static int same(int x) { return x + g; }
        static int bump(int x) { g += x; return x; }
        static int deep(int x) { return bump(x) + 1; }
        static int poke(int x) { *p = x; return x; }
        static int hidden(int x);
        int f(int x, int y) {
            int z = x + 1, w = y++ * 2;
            g = same(x + 3);
            g = bump(4) + x;
            y = deep(x + 5);
            y = poke(6) + x;
            (x = 7) && y + 8;
            (g + 13) ? x++ : y + 9;
            y = x++ + (z - 10);
            y = hidden(11) + w;
            return x - 12;
        }
        int (*volatile other)(int);
        static int hidden(int x) { return other(x); }
        int main(void) { return f(1, 2); }
    ";

    /// Whether variables hold their values at the operand of this text.
    fn steady(program: &Program, text: &str, names: [&str; 5]) -> String {
        let writes = FunctionWrites::new(program);
        let found = program.statement_ids().find_map(|at| {
            let mut operands = all(program, at).into_iter();
            let is_it = |operand: &SeedOperand| program.text(operand.span) == text.as_bytes();
            operands.find(is_it).map(|operand| (at, operand))
        });
        let (at, operand) = found.unwrap_or_else(|| panic!("no operand {text}"));
        let changed = interference(program, &writes, at, operand);
        let are_steady = names.map(|name| is_steady(program, at, &changed, name));
        let names = names.into_iter().zip(are_steady);
        let kept: Vec<&str> = names
            .filter(|(_, kept)| *kept)
            .map(|(name, _)| name)
            .collect();
        kept.join(" ")
    }

    #[test]
    fn what_may_be_read_is_what_nothing_changes_until_then() {
        let clang = Clang::load().expect("libclang is installed");
        let lowered = lower(&clang, Path::new("a.c"), SEED.as_bytes().into(), &[]);
        let program = lowered.unwrap_or_else(|refused| panic!("{refused}"));
        let names = ["g", "h", "x", "y", "w"];
        for (text, expected) in [
            // `w` is declared by the statement itself.
            ("x + 1", "g h x y"),
            ("2", "g h x"),
            // The call, and what the assignment writes, come later.
            ("x + 3", "g h x y w"),
            ("4", "g h x y w"),
            ("x + 5", "g h x y w"),
            ("bump(4) + x", "h x y w"),
            ("deep(x + 5)", "h x y w"),
            // Only what has its address taken is written through a pointer.
            ("poke(6) + x", "g x y w"),
            // Before `&&` comes what stands before it.
            ("y + 8", "g h y w"),
            ("(g + 13)", "g h x y w"),
            ("y + 9", "g h y w"),
            ("(z - 10)", "g h y w"),
            // A call through a pointer may change all that has a name elsewhere.
            ("hidden(11) + w", "x y w"),
            ("x - 12", "g h x y w"),
        ] {
            assert_eq!(steady(&program, text, names), expected, "{text}");
        }
    }
}
