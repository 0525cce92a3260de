//! What C and compilers leave open: values that may differ between two correct builds of one
//! program, and whether they can influence what it does.
//!
//! A difference in such a value says nothing about a compiler. The constructs are found in
//! the seed's expressions and types; [`flow`] follows their values. What the text cannot
//! tell, such as whether a compiler folds a call, is checked with the compiler itself when
//! there is a suspicion.

mod assembly;
mod floats;
mod flow;
mod groups;
mod names;
mod numbers;
mod padding;
mod passing;
mod pragmas;
mod promises;
mod punning;
mod reserved;
mod sequence;
mod taming;
mod value;
mod vectors;

pub(crate) use floats::{FloatFreedom, FloatUse, are_settled};
pub(crate) use groups::ConditionalGroups;
pub(crate) use names::is_libm;
pub(crate) use numbers::{is_c90, is_strict_c90};
pub(crate) use reserved::{GREATEST_ALIGNMENT, ReservedNames};
pub use value::OpenValue;

use super::program::{
    ExprId, ExprKind, FunctionId, Lines, Program, StatementKind, Storage, Variable, has_attribute,
    mentions,
};
use crate::code::op::BinaryOp;
use crate::code::types::IntKind;
use flow::ValueFlow;
use names::{
    ALLOCATIONS, CLOCK_MACROS, CLOCKS, CLOCKS_BY_POINTER, COMPARISONS, FLOAT_ENVIRONMENT,
    FORTIFICATION, FRAMES, INLINE_TWINS, KNOWLEDGE, LIBM_BY_POINTER, MACROS, PRETTY_NAMES, RANDOM,
    RESTRICT, THREADS, UNSANITIZED, is_known_to_compilers,
};
use serde::{Deserialize, Serialize};
use taming::{
    AddressTaming, ComparisonTaming, LibmTaming, Untamed, copies_address, is_address_as_integer,
};
use vectors::VectorUse;

/// A place where an open value can matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenUse {
    pub value: OpenValue,
    /// The line of the seed, from 1.
    pub line: usize,
}

/// What a program leaves open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Openness {
    /// The first use of each value that can matter.
    pub uses: Vec<OpenUse>,
    /// What it does with floating-point numbers.
    pub(crate) floats: FloatUse,
    /// Where it accesses memory as another type, if it does.
    pub punning: Option<usize>,
    /// Where it says `restrict`, if it does: a promise about memory that nobody checks.
    pub(crate) restrict: Option<usize>,
    /// Where the order of evaluation is open and may matter: two operands that both call
    /// or write.
    pub(crate) unsequenced: Option<usize>,
    /// Where it names a bit-field that is wider than an `int`: to gcc its type is as
    /// wide as the field, to others as wide as it was declared.
    pub(crate) wide_field: Option<usize>,
    /// Where a number has a sign behind a `p`, if one has: see [`is_strict_c90`].
    pub(crate) signed_number: Option<usize>,
    /// Parts that a compiler may leave out.
    pub(crate) groups: Option<ConditionalGroups>,
    /// Names that a compiler may define.
    pub(crate) reserved: Option<ReservedNames>,
    /// Where it asks for the greatest alignment there is, if it does: see [`GREATEST_ALIGNMENT`].
    pub(crate) greatest_alignment: Option<usize>,
    /// Where it may print the name of a function as the compiler writes it, if it does.
    pub(crate) function_name: Option<usize>,
    /// Where its vectors may do what no sanitizer checks.
    pub(crate) unchecked_vector: Option<usize>,
    /// Where signed lanes of a vector may overflow, which no sanitizer checks either.
    pub(crate) vector_overflow: Option<usize>,
    /// Where it names an enumerator that no `int` holds. Such are no C before C23, and versions of
    /// one compiler give them different types.
    pub(crate) wide_enumerator: Option<usize>,
    /// Where `__LINE__` may stand in a macro's call of several lines, which compilers number from
    /// its start or from its end.
    pub(crate) line_number: Option<usize>,
    /// Where a `main` ends that may end without `return`. Before C99 the exit status is then open.
    pub(crate) end_of_main: Option<usize>,
    /// Whether it calls open functions by `__builtin_` names, which no flag turns off.
    pub(crate) names_builtins: bool,
}

impl Openness {
    pub fn of(program: &Program) -> Openness {
        Finder::new(program).find()
    }

    /// Where a value can matter, if anywhere.
    pub(crate) fn line_of(&self, value: OpenValue) -> Option<usize> {
        let mut uses = self.uses.iter();
        uses.find(|found| found.value == value)
            .map(|found| found.line)
    }
}

/// Whether a text names a macro that flags, levels or compilers change.
pub(crate) fn names_open_macro(text: &[u8]) -> bool {
    MACROS.iter().any(|word| mentions(text, word.as_bytes()))
}

/// Whether a flag may ask for checking functions, such as `-D_FORTIFY_SOURCE=2`.
pub(crate) fn asks_for_fortification(flag: &str) -> bool {
    flag == "-fhardened" || FORTIFICATION.iter().any(|word| flag.contains(word))
}

struct Finder<'p> {
    program: &'p Program,
    flow: ValueFlow<'p>,
    lines: Lines,
    found: Openness,
}

impl<'p> Finder<'p> {
    fn new(program: &'p Program) -> Finder<'p> {
        Finder {
            program,
            flow: ValueFlow::new(program),
            lines: Lines::new(&program.source),
            found: Openness {
                floats: FloatUse::of(program),
                ..Openness::default()
            },
        }
    }

    fn find(mut self) -> Openness {
        let program = self.program;
        let (mut calls_libm, mut allocates) = (None, None);
        for id in program.expr_ids() {
            let expr = program.expr(id);
            if !expr.is_evaluated {
                continue;
            }
            if is_address_as_integer(program, id) && self.flow.matters(id, &AddressTaming) {
                self.add(OpenValue::Address, id);
            }
            if compares_literals(program, id) {
                self.add(OpenValue::Literal, id);
            }
            let ExprKind::Call(Some(function)) = expr.kind else {
                continue;
            };
            if is_undeclared(program, id, function) {
                self.add(OpenValue::Undeclared, id);
            }
            let name = self.plain_name(function);
            if KNOWLEDGE.contains(&name.full) && self.is_own(id, name.full) {
                self.add(OpenValue::CompilerKnowledge, id);
            }
            if name.full.starts_with("__builtin___") && name.full.ends_with("_chk") {
                self.add(OpenValue::Fortification, id);
            }
            if FRAMES.contains(&name.full)
                || self.prints_address(id, name.bare)
                || copies_address(program, id, name.bare)
            {
                self.add(OpenValue::Address, id);
            }
            if CLOCKS_BY_POINTER.contains(&name.bare)
                || CLOCKS.contains(&name.bare) && self.flow.matters(id, &Untamed)
            {
                self.add(OpenValue::Clock, id);
            }
            if FLOAT_ENVIRONMENT.contains(&name.full) && self.found.floats.has_any {
                self.add(OpenValue::FloatEnvironment, id);
            }
            if THREADS.contains(&name.full) {
                self.add(OpenValue::Thread, id);
            }
            if RANDOM.contains(&name.bare) && self.flow.matters(id, &Untamed) {
                self.add(OpenValue::Random, id);
            }
            allocates = allocates.or(ALLOCATIONS.contains(&name.bare).then_some(id));
            let is_libm = is_libm(name.bare);
            calls_libm = calls_libm.or(is_libm.then_some(id));
            let value = if LIBM_BY_POINTER.contains(&name.bare)
                || is_libm && self.flow.matters(id, &LibmTaming)
            {
                OpenValue::Libm
            } else if COMPARISONS.contains(&name.bare) && self.flow.matters(id, &ComparisonTaming) {
                OpenValue::ComparisonResult
            } else {
                continue;
            };
            self.found.names_builtins |= name.full != name.bare;
            self.add(value, id);
        }
        if calls_libm.or(allocates).is_some()
            && let Some(read) = self.errno_that_matters()
        {
            self.add(OpenValue::Errno, read);
        }
        if let Some(line) = self.found.floats.bits_of_nan {
            self.add_line(OpenValue::Nan, line);
        }
        if let Some(id) = promises::broken(program) {
            self.add(OpenValue::Promise, id);
        }
        let pragmas = pragmas::Freedoms::of(&program.source);
        if let Some(place) = promises::second_name(program).or(pragmas.independence) {
            self.add_place(OpenValue::Promise, place);
        }
        let has = |word: &str| has_attribute(&program.source, word);
        // What is inlined always has no twin.
        if has("gnu_inline") && !has("always_inline") {
            self.add_line(OpenValue::Promise, self.line_naming(INLINE_TWINS));
        }
        if let Some(place) = pragmas.rounding.filter(|_| self.found.floats.has_any) {
            self.add_place(OpenValue::Rounding, place);
        }
        if let Some(line) = self.found.floats.complex_quotient {
            self.add_line(OpenValue::Rounding, line);
        }
        if let Some(place) = assembly::first(program) {
            self.add_place(OpenValue::Assembly, place);
        }
        if let Some(id) = padding::first(program).or(padding::first_rest_of_union(program)) {
            self.add(OpenValue::Padding, id);
        }
        if let Some(id) = passing::first(program) {
            self.add(OpenValue::VectorPassing, id);
        }
        if self.names_attribute(UNSANITIZED) {
            self.add_line(OpenValue::Unsanitized, self.line_naming(UNSANITIZED));
        }
        if let Some(id) = promises::change_across_jump(program) {
            self.add(OpenValue::Jump, id);
        }
        if let Some(place) = redefinition(program) {
            self.add_place(OpenValue::Redefinition, place);
        }
        if self.names_any(CLOCK_MACROS) {
            self.add_line(OpenValue::Clock, self.line_naming(CLOCK_MACROS));
        }
        if names_open_macro(&program.source) {
            self.add_line(OpenValue::Macro, self.line_naming(MACROS));
        }
        if self.names_any(FORTIFICATION) {
            self.add_line(OpenValue::Fortification, self.line_naming(FORTIFICATION));
        }
        let restricts = self.names_any(RESTRICT);
        self.found.restrict = restricts.then(|| self.line_naming(RESTRICT));
        let signed = numbers::first_signed(&program.source);
        self.found.signed_number = signed.map(|place| self.lines.locate(place).0);
        self.found.groups = ConditionalGroups::of(&program.source);
        self.found.reserved = ReservedNames::of(&program.source);
        self.found.greatest_alignment = reserved::greatest_alignment(&program.source);
        self.found.function_name = self.function_name();
        let handled = program
            .variables
            .iter()
            .find(|variable| variable.is_used_by_handler && !variable.ty.is_volatile);
        if let Some(handled) = handled {
            let place = handled.declaration.map_or(0, |span| span.start);
            self.add_place(OpenValue::Signal, place);
        }
        let unsequenced = program
            .expr_ids()
            .find(|&id| sequence::is_open(program, id));
        let broken = program
            .expr_ids()
            .find(|&id| sequence::is_broken(program, id));
        if let Some(id) = broken {
            self.add(OpenValue::Sequence, id);
        }
        let vectors = VectorUse::of(program);
        self.found.unchecked_vector = vectors.unchecked.map(|id| self.line(id));
        self.found.vector_overflow = vectors.overflows.map(|id| self.line(id));
        let enumerator = program
            .expr_ids()
            .find(|&id| is_wide_enumerator(program, id));
        self.found.wide_enumerator = enumerator.map(|id| self.line(id));
        self.found.line_number = reserved::line_in_long_call(program);
        self.found.end_of_main = end_of_main(program).map(|place| self.lines.locate(place).0);
        let bound = program
            .variables
            .iter()
            .find(|variable| is_section_bound(variable));
        if let Some(bound) = bound {
            let place = bound.declaration.map_or(0, |span| span.start);
            self.add_place(OpenValue::Section, place);
        }
        self.found.unsequenced = unsequenced.map(|id| self.line(id));
        let wide = program.expr_ids().find(|&id| is_wide_field(program, id));
        self.found.wide_field = wide.map(|id| self.line(id));
        self.found.punning = punning::first(program).map(|id| self.line(id));
        self.found
    }

    fn line(&self, id: ExprId) -> usize {
        self.lines.locate(self.program.expr(id).span.start).0
    }

    /// Whether the text names one of the words.
    fn names_any(&self, words: &[&str]) -> bool {
        let source = &self.program.source;
        words.iter().any(|word| mentions(source, word.as_bytes()))
    }

    /// The same, or a word with two underscores on either side, as attributes are written.
    fn names_attribute(&self, words: &[&str]) -> bool {
        let source = &self.program.source;
        let is_underlined = |word: &&str| mentions(source, format!("__{word}__").as_bytes());
        self.names_any(words) || words.iter().any(is_underlined)
    }

    /// The first line that names one of the words.
    fn line_naming(&self, words: &[&str]) -> usize {
        let names = |line: &[u8]| words.iter().any(|word| mentions(line, word.as_bytes()));
        let mut lines = self.program.source.split(|byte| *byte == b'\n');
        lines.position(names).map_or(1, |index| index + 1)
    }

    fn add(&mut self, value: OpenValue, id: ExprId) {
        self.add_line(value, self.line(id));
    }

    fn add_place(&mut self, value: OpenValue, place: u32) {
        self.add_line(value, self.lines.locate(place).0);
    }

    fn add_line(&mut self, value: OpenValue, line: usize) {
        if self.found.line_of(value).is_none() {
            self.found.uses.push(OpenUse { value, line });
        }
    }

    /// Where the name of a function is printed as the compiler writes it: by `__PRETTY_FUNCTION__`,
    /// or by an assertion that fails.
    fn function_name(&self) -> Option<usize> {
        let program = self.program;
        if self.names_any(PRETTY_NAMES) {
            return Some(self.line_naming(PRETTY_NAMES));
        }
        let is_assertion = |id: &ExprId| {
            let expr = program.expr(*id);
            let ExprKind::Call(Some(function)) = expr.kind else {
                return false;
            };
            expr.is_evaluated && program.function(function).name.starts_with("__assert")
        };
        program
            .expr_ids()
            .find(is_assertion)
            .map(|id| self.line(id))
    }

    fn plain_name(&self, function: FunctionId) -> FunctionName<'p> {
        let full = self.program.function(function).name.as_str();
        let bare = full.strip_prefix("__builtin_").unwrap_or(full);
        FunctionName { full, bare }
    }

    /// Whether the seed itself calls a function, rather than a macro of a system header: glibc
    /// uses `__builtin_constant_p` only to choose between two ways to the same result.
    fn is_own(&self, call: ExprId, name: &str) -> bool {
        let source = &self.program.source;
        !self.program.expr(call).is_in_macro
            || mentions(source, name.as_bytes())
            || mentions(source, b"#include \"")
    }

    /// Whether a call prints a pointer: `printf("%p", …)`.
    fn prints_address(&self, call: ExprId, name: &str) -> bool {
        let is_format = |id: ExprId| {
            let expr = self.program.expr(id);
            expr.kind == ExprKind::String
                && memchr::memmem::find(self.program.text(expr.span), b"%p").is_some()
        };
        name.ends_with("printf") && self.program.operands(call).any(is_format)
    }

    /// A read of `errno` whose value can matter.
    fn errno_that_matters(&self) -> Option<ExprId> {
        let program = self.program;
        let is_errno = |id: &ExprId| {
            let ExprKind::Call(Some(function)) = program.expr(*id).kind else {
                return false;
            };
            program.function(function).name == "__errno_location"
        };
        let mut places = program.expr_ids().filter(is_errno);
        places.find_map(|id| {
            let object = program.expr(id).parent?;
            self.flow.matters(object, &Untamed).then_some(object)
        })
    }
}

/// Whether a call is what declares a function that the program does not define.
fn is_undeclared(program: &Program, call: ExprId, function: FunctionId) -> bool {
    let function = program.function(function);
    program.has_old_habits
        && !function.is_from_header
        && function.definition.is_none()
        && function.declared_at >= program.expr(call).span.start
}

/// Whether an expression asks if a string literal is the same object as something else.
fn compares_literals(program: &Program, id: ExprId) -> bool {
    if !matches!(
        program.expr(id).kind,
        ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne)
    ) {
        return false;
    }
    let operands: Vec<ExprId> = program.operands(id).map(|of| bare(program, of)).collect();
    let is_null = |of: &ExprId| program.expr(*of).kind == ExprKind::Integer(0);
    let is_literal = |of: &ExprId| program.expr(*of).kind == ExprKind::String;
    let held = |of: &ExprId| match program.expr(*of).kind {
        ExprKind::Variable(variable) => Some(variable).filter(|variable| {
            let variable = program.variable(*variable);
            let initial = variable.initial.map(|initial| bare(program, initial));
            !program.types.is_array(variable.ty.id) && initial.as_ref().is_some_and(is_literal)
        }),
        _ => None,
    };
    let [one, other] = operands[..] else {
        return false;
    };
    let is_direct = operands.iter().any(is_literal) && !operands.iter().any(is_null);
    let are_held = matches!((held(&one), held(&other)), (Some(a), Some(b)) if a != b);
    is_direct || are_held
}

/// The expression without casts, and without what is added to it.
fn bare(program: &Program, mut id: ExprId) -> ExprId {
    loop {
        let mut operands = program.operands(id);
        let inner = match program.expr(id).kind {
            ExprKind::Cast => operands.last(),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub) => operands.next(),
            _ => None,
        };
        match inner {
            Some(inner) => id = inner,
            None => return id,
        }
    }
}

/// Where the program defines a function of the library itself, which compilers take for the
/// one they know.
fn redefinition(program: &Program) -> Option<u32> {
    let mut definitions = program.definitions();
    let found = definitions.find(|(_, function, _)| is_known_to_compilers(&function.name));
    found.map(|(_, _, definition)| definition.span.start)
}

/// Whether a linker makes the variable the start or the end of a section.
fn is_section_bound(variable: &Variable) -> bool {
    let is_bound = ["__start_", "__stop_"]
        .into_iter()
        .any(|prefix| variable.name.starts_with(prefix));
    is_bound && variable.storage == Storage::External
}

fn is_wide_enumerator(program: &Program, id: ExprId) -> bool {
    let ExprKind::EnumConstant(value) = program.expr(id).kind else {
        return false;
    };
    i32::try_from(value).is_err()
}

/// The end of `main`, if its last statement may be followed by it.
fn end_of_main(program: &Program) -> Option<u32> {
    let mut definitions = program.definitions();
    let (_, _, main) = definitions.find(|(_, function, _)| function.name == "main")?;
    let body = program.statement(main.body());
    let last = body.children.last();
    let returns =
        last.is_some_and(|last| matches!(program.statement(*last).kind, StatementKind::Return));
    (!returns).then(|| main.span.end.saturating_sub(1))
}

/// Whether an expression is a bit-field with more bits than an `int` has.
fn is_wide_field(program: &Program, id: ExprId) -> bool {
    let expr = program.expr(id);
    let ExprKind::Member { record, field } = expr.kind else {
        return false;
    };
    let mut fields = program.types.record(record).fields.iter().flatten();
    let field = fields.nth(field as usize);
    let width = field.and_then(|field| field.bit_width);
    let int = IntKind::Int.bits(program.target);
    expr.is_evaluated && width.is_some_and(|width| width > int)
}

struct FunctionName<'p> {
    full: &'p str,
    /// Without `__builtin_`.
    bare: &'p str,
}
