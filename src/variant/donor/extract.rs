//! Donors of a program.
//!
//! Every word of a statement must be understood, or the statement is no donor: a
//! keyword, a number, a name that becomes a hole, a type of `stdint.h` (which is
//! written out), or, for donors that stay at home, a name of the program that has
//! one meaning only. So nothing of a macro, an attribute or a directive gets in.
//!
//! A donor is text, and its words are not only those of expressions: keywords, types,
//! declarators, labels. So the walk is over tokens; what a name in an expression means
//! is asked of the program's expressions.

use super::needs::signature;
use super::{Donor, Hole, Home, Piece, Shape};
use crate::code::types::{IntKind, Target};
use crate::source::program::{
    ExprKind, Flow, FunctionId, Meaning, Program, Role, ScopeId, SeedExpr, Span, StatementId,
    StatementKind, Storage, Token, TokenKind, Tokens, VariableId,
};
use crate::source::seed::hash_source;
use std::collections::HashMap;

/// Longer statements are left out: they fit few places, and make variants large.
const MOST_BYTES: u32 = 600;

/// Words that mean the same everywhere.
const KEYWORDS: &[&str] = &[
    "_Bool", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "float", "for", "goto", "if", "int", "long", "return", "short", "signed", "sizeof", "switch",
    "unsigned", "void", "volatile", "while",
];

/// All donors of a program, in order and each once; those that stay at home, too.
pub fn extract(program: &Program) -> Vec<Donor> {
    let extractor = Extractor::new(program);
    let mut donors: Vec<Donor> = program
        .statement_ids()
        .filter_map(|id| extractor.donor(id))
        .collect();
    donors.sort_unstable();
    donors.dedup();
    donors
}

pub(super) struct Extractor<'p> {
    pub(super) program: &'p Program,
    tokens: Tokens<'p>,
    hash: u64,
    /// What the words at these offsets name.
    variables: HashMap<u32, VariableId>,
    functions: HashMap<u32, FunctionId>,
    labels: HashMap<u32, &'p str>,
    /// All meanings of a name, and whether at file scope.
    names: HashMap<&'p str, Vec<(Meaning, bool)>>,
    /// How many edges start in each statement.
    edges: Vec<u32>,
}

/// A donor being made.
struct DonorDraft<'p> {
    id: StatementId,
    span: Span,
    pieces: Vec<Piece>,
    holes: Vec<Hole>,
    filled: HashMap<Named<'p>, usize>,
    is_at_home: bool,
}

/// What a hole stood for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Named<'p> {
    Variable(VariableId),
    Function(FunctionId),
    Label(&'p str),
}

impl<'p> Extractor<'p> {
    fn new(program: &'p Program) -> Extractor<'p> {
        let mut names: HashMap<&str, Vec<(Meaning, bool)>> = HashMap::new();
        let mut variables = HashMap::new();
        for (index, scope) in program.scopes.iter().enumerate() {
            for name in &scope.names {
                let is_outermost = index == ScopeId(0).index();
                let meanings = names.entry(&name.text).or_default();
                meanings.push((name.meaning, is_outermost));
                if let Meaning::Variable(variable) = name.meaning {
                    variables.insert(name.from, variable);
                }
            }
        }
        let used = program.uses.iter().filter(|used| !used.is_in_macro);
        variables.extend(used.map(|used| (used.span.start, used.variable)));
        // A function that is named without a call stays out: a hole for one promises that
        // it can be called, and no more.
        let calls = program.calls.iter().filter(|call| call.function.is_some());
        let callees = calls.filter_map(|call| program.operands(call.expr).next());
        let functions = callees.filter_map(|callee| match program.expr(callee) {
            SeedExpr {
                kind: ExprKind::Function(function),
                span,
                is_in_macro: false,
                ..
            } => Some((span.start, *function)),
            _ => None,
        });
        let labels = program.statements.iter();
        let labels = labels.filter_map(|statement| match &statement.kind {
            StatementKind::Label { name, .. } => Some((statement.span.start, name.as_str())),
            _ => None,
        });
        let mut edges = vec![0; program.statements.len()];
        for (_, _, definition) in program.definitions() {
            for node in Flow::new(program, definition).nodes {
                edges[node.statement.index()] += node.successors.len() as u32;
            }
        }
        Extractor {
            program,
            tokens: Tokens::new(&program.source, &[]),
            hash: hash_source(&program.source),
            variables,
            functions: functions.collect(),
            labels: labels.collect(),
            names,
            edges,
        }
    }

    /// The donor a statement makes, if it makes one.
    fn donor(&self, id: StatementId) -> Option<Donor> {
        let program = self.program;
        let statement = program.statement(id);
        let is_wanted = matches!(
            statement.kind,
            StatementKind::Compound
                | StatementKind::Expression
                | StatementKind::If { .. }
                | StatementKind::Switch { .. }
                | StatementKind::While { .. }
                | StatementKind::Do { .. }
                | StatementKind::For { .. }
                | StatementKind::Return
        );
        let span = statement.span;
        let is_short = span.end - span.start <= MOST_BYTES;
        if !is_wanted || !is_short || !statement.end_is_known || statement.insertion.is_err() {
            return None;
        }
        let inside = program.within(id).map(StatementId);
        let is_in_expression = |at| program.statement(at).role == Role::InExpression;
        if inside.clone().any(is_in_expression) || program.has_case(id) {
            return None;
        }
        // Words and operators may be split there.
        if program
            .text(span)
            .windows(2)
            .any(|two| matches!(two, b"\\\n" | b"\\\r"))
        {
            return None;
        }
        let mut draft = DonorDraft {
            id,
            span,
            pieces: Vec::new(),
            holes: Vec::new(),
            filled: HashMap::new(),
            is_at_home: false,
        };
        self.fill(&mut draft)?;
        // C89 has no declarations there, and a program may be that old.
        draft.is_at_home |= inside.clone().any(|at| {
            matches!(&program.statement(at).kind, StatementKind::For { variables, .. }
                if !variables.is_empty())
        });
        let returns = inside.clone().find_map(|at| self.returned(at));
        let home = Home {
            source: self.hash,
            from: span.start,
        };
        let mut shapes = draft.holes.iter().flat_map(Hole::shapes).chain(&returns);
        let is_at_home = draft.is_at_home || !shapes.all(Shape::is_portable);
        Some(Donor {
            needs_break: inside.clone().any(|at| self.leaves(id, at, true)),
            needs_continue: inside.clone().any(|at| self.leaves(id, at, false)),
            statements: inside.len() as u32,
            edges: inside.map(|at| self.edges[at.index()]).sum(),
            home: is_at_home.then_some(home),
            pieces: draft.pieces,
            holes: draft.holes,
            returns,
        })
    }

    /// Takes the tokens of the statement into the draft.
    fn fill(&self, draft: &mut DonorDraft<'p>) -> Option<()> {
        let end = draft.span.end;
        let from_here = self.tokens.starting_at(draft.span.start);
        let tokens = from_here.iter().take_while(|token| token.span.start < end);
        let mut before: [Option<Token>; 2] = [None; 2];
        for token in tokens {
            let last = before[1];
            if last.is_some_and(|last| last.span.end < token.span.start) {
                draft.push(" ");
            }
            let text = std::str::from_utf8(self.tokens.text(*token)).ok()?;
            let is_printable = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
            // Trigraphs mean something in some programs only.
            let is_trigraph = self.program.source[token.span.start as usize..].starts_with(b"??");
            if !is_printable || is_trigraph || text.contains("??") {
                return None;
            }
            match token.kind {
                TokenKind::Directive => return None,
                // Not as digraphs, which tcc does not know.
                TokenKind::Punctuation(byte) => draft.push(&char::from(byte).to_string()),
                TokenKind::Quoted => draft.push(text),
                TokenKind::Word if text.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
                    draft.push(text);
                }
                TokenKind::Word => self.word(draft, *token, text, before)?,
            }
            before = [last, Some(*token)];
        }
        Some(())
    }

    fn word(
        &self,
        draft: &mut DonorDraft<'p>,
        token: Token,
        text: &str,
        before: [Option<Token>; 2],
    ) -> Option<()> {
        let at = token.span.start;
        let is = |token: Option<Token>, word: &str| {
            token.is_some_and(|token| self.tokens.text(token) == word.as_bytes())
        };
        let is_member = is(before[1], ".") || (is(before[0], "-") && is(before[1], ">"));
        let tag = ["struct", "union", "enum"];
        if is_member {
            draft.is_at_home = true;
            draft.push(text);
        } else if is(before[1], "goto") || self.labels.contains_key(&at) {
            self.label(draft, text)?;
        } else if KEYWORDS.contains(&text) {
            draft.push(text);
        } else if tag.contains(&text) || tag.iter().any(|tag| is(before[1], tag)) {
            let is_keyword = tag.contains(&text);
            if !is_keyword && !self.means(text, |meaning| meaning == Meaning::Tag) {
                return None;
            }
            draft.is_at_home = true;
            draft.push(text);
        } else if let Some(&variable) = self.variables.get(&at) {
            self.variable(draft, variable, text)?;
        } else if let Some(&function) = self.functions.get(&at) {
            self.function(draft, function, text)?;
        } else if let Some(kind) = standard_type(self.program.target, text) {
            // A typedef of the program's own may be anything.
            if self.names.contains_key(text) {
                return None;
            }
            draft.push(kind.c_name());
        } else {
            let is_fixed = |meaning| matches!(meaning, Meaning::Typedef | Meaning::EnumConstant);
            if !self.means(text, is_fixed) {
                return None;
            }
            draft.is_at_home = true;
            draft.push(text);
        }
        Some(())
    }

    /// Whether a name has such a meaning, and no other anywhere inside a function.
    fn means(&self, text: &str, wanted: impl Fn(Meaning) -> bool) -> bool {
        self.names.get(text).is_some_and(|meanings| {
            meanings.iter().all(|(_, is_outermost)| *is_outermost)
                && meanings.iter().any(|(meaning, _)| wanted(*meaning))
        })
    }

    fn label(&self, draft: &mut DonorDraft<'p>, text: &str) -> Option<()> {
        let inside = self.program.within(draft.id).map(StatementId);
        let mut own = inside.filter_map(|at| match &self.program.statement(at).kind {
            StatementKind::Label { name, .. } => Some(name.as_str()),
            _ => None,
        });
        let (label, hole) = match own.find(|name| *name == text) {
            Some(own) => (own, Hole::OwnLabel),
            None => {
                let labels = self.labels.values();
                let label = labels.copied().find(|name| *name == text)?;
                (label, Hole::Label)
            }
        };
        draft.hole(Named::Label(label), || hole);
        Some(())
    }

    fn variable(&self, draft: &mut DonorDraft<'p>, id: VariableId, text: &str) -> Option<()> {
        let variable = self.program.variable(id);
        if variable.name != text {
            return None;
        }
        let declared = variable.statement.map(|at| self.program.statement(at).span);
        let is_own = declared.is_some_and(|declared| draft.span.contains(declared));
        let is_plain = variable.storage == Storage::Automatic
            && !self.program.types.is_variably_modified(variable.ty.id);
        if is_own && !is_plain {
            return None;
        }
        if is_own {
            draft.hole(Named::Variable(id), || Hole::OwnVariable);
        } else {
            let need = self.need(draft.id, id);
            draft.hole(Named::Variable(id), || Hole::Variable(need));
        }
        Some(())
    }

    fn function(&self, draft: &mut DonorDraft<'p>, id: FunctionId, text: &str) -> Option<()> {
        let function = self.program.function(id);
        let hole = signature(self.program, id)?;
        if function.name != text {
            return None;
        }
        draft.hole(Named::Function(id), || hole);
        Some(())
    }
}

impl<'p> DonorDraft<'p> {
    fn push(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.pieces.push(Piece::Text(text.to_owned())),
        }
    }

    fn hole(&mut self, named: Named<'p>, hole: impl FnOnce() -> Hole) {
        let next = self.holes.len();
        let number = *self.filled.entry(named).or_insert(next);
        if number == next {
            self.holes.push(hole());
        }
        self.pieces.push(Piece::Hole(number));
    }
}

/// What a name of `stdint.h` or `stddef.h` stands for on Linux.
fn standard_type(target: Target, name: &str) -> Option<IntKind> {
    let is_64 = target.long_bits == 64;
    Some(match name {
        "int8_t" => IntKind::SChar,
        "uint8_t" => IntKind::UChar,
        "int16_t" => IntKind::Short,
        "uint16_t" => IntKind::UShort,
        "int32_t" => IntKind::Int,
        "uint32_t" => IntKind::UInt,
        "int64_t" if is_64 => IntKind::Long,
        "int64_t" => IntKind::LongLong,
        "uint64_t" if is_64 => IntKind::ULong,
        "uint64_t" => IntKind::ULongLong,
        "size_t" if is_64 => IntKind::ULong,
        "size_t" => IntKind::UInt,
        _ => return None,
    })
}
