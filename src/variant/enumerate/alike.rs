//! Whether the declarations of two variables are alike, so that exchanging the names
//! everywhere but there gives a program that means the same.
//!
//! Read off the text: storage, qualifiers and the initialiser must be the same words. What
//! could make the order of two declarations matter sets a variable apart: an initialiser
//! that reads a variable or calls a function, an attribute such as `cleanup`, a macro
//! such as `__LINE__`; and for automatic variables a statement in between, since a jump
//! may go there.

use crate::source::program::{
    Initializer, Meaning, Program, ScopeId, Span, StatementId, StatementKind, Storage, Token,
    TokenKind, Tokens, Variable, VariableId,
};
use std::collections::HashMap;

/// What two variables must share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum DeclaredAs {
    /// Like no other variable.
    Alone(VariableId),
    Alike {
        storage: Storage,
        /// The words of the declaration, the name left out.
        words: Vec<Vec<u8>>,
        /// The first of the declarations in a row that it belongs to, if it is automatic.
        row: Option<StatementId>,
    },
}

/// Where a declarator stands: `int a, b;` has two.
#[derive(Clone, Copy, Debug)]
struct DeclaratorPlace {
    /// Where the name begins.
    name: u32,
    /// What comes before all declarators: from the start of the declaration to the name
    /// in the first.
    shared: Span,
}

/// The declarations of a program.
#[derive(Debug)]
pub(super) struct Declarations<'p> {
    program: &'p Program,
    tokens: Tokens<'p>,
    /// Where the name of each variable stands, and what it shares with others.
    places: HashMap<VariableId, DeclaratorPlace>,
    /// Where uses and calls stand, in order.
    effects: Vec<u32>,
}

impl<'p> Declarations<'p> {
    pub(super) fn new(program: &'p Program) -> Declarations<'p> {
        let mut places = HashMap::new();
        for (index, scope) in program.scopes.iter().enumerate() {
            let mut shared: Option<Span> = None;
            for name in &scope.names {
                let Meaning::Variable(id) = name.meaning else {
                    continue;
                };
                let variable = program.variable(id);
                let Some(declaration) = variable.declaration else {
                    continue;
                };
                // `extern int x;` in a block brings the name again.
                if variable.scope != ScopeId::new(index) || declaration.start > name.from {
                    continue;
                }
                // libclang gives a further declarator from its name on or, at file scope,
                // from where the first begins.
                let is_first = declaration.start < name.from
                    && shared.is_none_or(|shared| shared.start != declaration.start);
                if is_first {
                    shared = Some(Span::new(declaration.start, name.from));
                }
                if let Some(shared) = shared {
                    let name = name.from;
                    places.insert(id, DeclaratorPlace { name, shared });
                }
            }
        }
        let uses = program.uses.iter().map(|used| used.span.start);
        let calls = program.calls.iter().map(|call| call.span.start);
        let mut effects: Vec<u32> = uses.chain(calls).collect();
        effects.sort_unstable();
        Declarations {
            program,
            tokens: Tokens::new(&program.source, &[]),
            places,
            effects,
        }
    }

    pub(super) fn declared_as(&self, id: VariableId) -> DeclaredAs {
        let variable = self.program.variable(id);
        match self.words(id, variable) {
            // What an argument is depends on its place.
            Some(words) if variable.storage != Storage::Parameter => DeclaredAs::Alike {
                storage: variable.storage,
                words,
                row: self.row(variable),
            },
            _ => DeclaredAs::Alone(id),
        }
    }

    /// The words of a variable's own declaration: what it shares with others declared
    /// with it, and its own declarator without the name.
    fn words(&self, id: VariableId, variable: &Variable) -> Option<Vec<Vec<u8>>> {
        let DeclaratorPlace { name, shared } = *self.places.get(&id)?;
        let (before, behind) = (self.tokens.before(name), self.tokens.starting_at(name));
        let (own, behind) = behind.split_first()?;
        let is_plain = self.tokens.text(*own) == variable.name.as_bytes();
        if !is_plain || (name != shared.end && !is_further(before, shared)) {
            return None;
        }
        let words = self.tokens.starting_at(shared.start).iter();
        let words = words.take_while(|token| token.span.start < shared.end);
        let declarator = &behind[..declarator_length(behind)];
        let has_initializer = declarator
            .iter()
            .any(|token| token.kind == TokenKind::Punctuation(b'='));
        if has_initializer != (variable.initializer != Initializer::None)
            || self.has_effects(own.span.end, declarator)
        {
            return None;
        }
        let words = words.chain(declarator);
        words.map(|token| self.word(*token)).collect()
    }

    /// Whether anything between a name and the end of its declarator reads a variable or
    /// calls a function.
    fn has_effects(&self, from: u32, declarator: &[Token]) -> bool {
        let to = declarator.last().map_or(from, |last| last.span.end);
        let first = self.effects.partition_point(|at| *at < from);
        self.effects.get(first).is_some_and(|at| *at < to)
    }

    /// The text of a token, unless it may mean more than it says.
    fn word(&self, token: Token) -> Option<Vec<u8>> {
        let text = self.tokens.text(token);
        // `__attribute__`, `__LINE__` and whatever else compilers bring.
        let is_special = text.starts_with(b"__")
            || text == b"asm"
            || token.kind == TokenKind::Directive
            || token.kind == TokenKind::Punctuation(b'[')
            || str::from_utf8(text).is_ok_and(|word| self.program.macros.contains(word));
        (!is_special).then(|| text.to_vec())
    }

    /// The first of the declarations that stand in a row with that of an automatic variable.
    fn row(&self, variable: &Variable) -> Option<StatementId> {
        let own = variable
            .statement
            .filter(|_| variable.storage.is_automatic())?;
        let Some(parent) = self.program.statement(own).parent else {
            return Some(own);
        };
        let siblings = self.program.statement(parent).children.iter().rev();
        let before = siblings.skip_while(|id| **id >= own);
        let row = before.take_while(|id| self.is_declaration(**id));
        Some(row.last().copied().unwrap_or(own))
    }

    fn is_declaration(&self, id: StatementId) -> bool {
        let kind = &self.program.statement(id).kind;
        matches!(kind, StatementKind::Declaration { .. })
    }
}

/// Whether a declarator with these tokens before it is a further one, with nothing
/// but the comma before its name, of the declaration that begins with `shared`.
fn is_further(before: &[Token], shared: Span) -> bool {
    let first = before.partition_point(|token| token.span.start < shared.end);
    let kinds = || before[first..].iter().map(|token| token.kind);
    kinds().next_back() == Some(TokenKind::Punctuation(b','))
        && !kinds().any(|kind| kind == TokenKind::Punctuation(b';'))
}

/// How many of the tokens belong to a declarator: those up to a comma, a semicolon or a
/// bracket that closes something around it.
fn declarator_length(tokens: &[Token]) -> usize {
    let mut depth = 0;
    let ends = |token: &Token| match token.kind {
        TokenKind::Punctuation(b'(' | b'[' | b'{') => {
            depth += 1;
            false
        }
        TokenKind::Punctuation(b')' | b']' | b'}') => {
            depth -= 1;
            depth < 0
        }
        TokenKind::Punctuation(b',' | b';') => depth == 0,
        _ => false,
    };
    tokens.iter().position(ends).unwrap_or(tokens.len())
}
