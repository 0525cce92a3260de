//! From clang's cursors to a [`Program`]: the only code that sees both.
//!
//! The seed is parsed once; its declarations are taken in the order of the
//! source, each function in one walk (`tree`), and copied into tables:
//! `types` for types, `declarations` for what has a name, `statements` for the
//! bodies, `parts`, `expressions`, `composites`, `operators` and `placing` for
//! expressions, `accesses` for the uses of variables in them. `text` knows the bytes.
//! At the end, `leave` takes back what attributes forbid.

mod accesses;
mod composites;
mod declarations;
mod expressions;
mod leave;
mod operators;
mod parts;
mod placing;
mod points;
mod statements;
mod text;
mod tree;
mod types;

use super::attributes::has_attribute;
use super::expression::SeedExpr;
use super::function::SeedFunction;
use super::ids::{FunctionId, ScopeId, Span, VariableId};
use super::init::{Initialised, mark_whole_records};
use super::macros::TypeMacros;
use super::probe::probe;
use super::readable::Permission;
use super::scope::Scope;
use super::statement::{Statement, StatementKind};
use super::tokens::mentions;
use super::variable::{Use, Variable};
use super::{Call, Program};
use crate::code::types::Target;
use crate::error::SeedRefused;
use crate::source::clang::{
    Clang, ClangIndex, Cursor, CursorKind, Descent, Identity, Inclusion, ParseError, Unit,
};
use std::collections::{HashMap, HashSet};
use std::ffi::{CString, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use text::Text;
use types::TypeTable;

/// Nesting beyond this is refused: our walks over trees recurse.
const MAX_DEPTH: usize = 20_000;

/// Enough stack for the recursion that [`MAX_DEPTH`] allows; only touched pages cost memory.
const STACK: usize = 512 << 20;

/// Flags that come before the user's. They make clang as lenient as gcc 12 is by default, and
/// silent about everything else.
///
/// Newer versions of clang treat these old habits as errors; whether a compiler under test
/// accepts them is up to that compiler.
const OUR_FLAGS: &[&str] = &[
    "-xc",
    "-Wno-everything",
    "-Wimplicit-function-declaration",
    "-Wno-error=implicit-function-declaration",
    "-Wimplicit-int",
    "-Wno-error=implicit-int",
    "-Wint-conversion",
    "-Wno-error=int-conversion",
    "-Wincompatible-pointer-types",
    "-Wno-error=incompatible-pointer-types",
    "-Wincompatible-function-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wreturn-type",
    "-Wno-error=return-type",
    "-Wno-unknown-warning-option",
    "-Wreturn-mismatch",
    "-Wno-error=return-mismatch",
];

/// The keywords that inserted code may contain: with `#define int long long` it would mean
/// something else.
const OUR_WORDS: &[&str] = &[
    "_Bool", "break", "char", "continue", "do", "else", "for", "goto", "if", "int", "long",
    "return", "short", "signed", "unsigned", "void", "while",
];

/// Parses `source` as the C file `path` with the given compiler flags and lowers it.
pub fn lower(
    clang: &Clang,
    path: &Path,
    source: Arc<[u8]>,
    flags: &[OsString],
) -> Result<Program, SeedRefused> {
    let program = lower_part(clang, path, source, flags)?;
    let is_main = |function: &SeedFunction| function.name == "main";
    if !program
        .definitions()
        .any(|(_, function, _)| is_main(function))
    {
        return Err(SeedRefused::new(path, "defines no function main"));
    }
    Ok(program)
}

/// The same for a file that need not be a whole program: one that is compiled only.
pub fn lower_part(
    clang: &Clang,
    path: &Path,
    source: Arc<[u8]>,
    flags: &[OsString],
) -> Result<Program, SeedRefused> {
    with_unit(clang, path, &source, OUR_FLAGS, flags, |unit| {
        lower_unit(unit, path, &source, flags)
    })
}

/// Parses only: tells whether clang takes the code.
// Used by benches only.
pub fn check(
    clang: &Clang,
    path: &Path,
    source: &[u8],
    flags: &[OsString],
) -> Result<(), SeedRefused> {
    with_unit(clang, path, source, OUR_FLAGS, flags, |_| Ok(()))
}

/// Parses only: what clang warns of, asked for these warnings and no others.
pub fn complaints(
    clang: &Clang,
    path: &Path,
    source: &[u8],
    flags: &[OsString],
    warnings: &[&str],
) -> Result<Vec<String>, SeedRefused> {
    // Some are errors from the start.
    let asked: Vec<String> = warnings
        .iter()
        .flat_map(|name| [format!("-W{name}"), format!("-Wno-error={name}")])
        .collect();
    let mut ours = vec!["-xc", "-Wno-everything"];
    ours.extend(asked.iter().map(String::as_str));
    with_unit(
        clang,
        path,
        source,
        &ours,
        flags,
        |unit| Ok(unit.warnings()),
    )
}

/// Runs `work` on the parsed source, on a thread with stack enough for deep trees.
fn with_unit<T: Send>(
    clang: &Clang,
    path: &Path,
    source: &[u8],
    ours: &[&str],
    flags: &[OsString],
    work: impl FnOnce(&Unit<'_>) -> Result<T, String> + Send,
) -> Result<T, SeedRefused> {
    let refused = |reason: String| SeedRefused::new(path, reason);
    probe(path, source, flags).map_err(refused)?;
    let ours = ours.iter().map(|flag| CString::new(*flag));
    let arguments = ours.chain(flags.iter().map(|flag| CString::new(flag.as_bytes())));
    let arguments: Vec<CString> = arguments
        .collect::<Result<_, _>>()
        .map_err(|_| refused("a compiler flag contains a NUL byte".into()))?;
    let work = || {
        let index = ClangIndex::new(clang);
        let unit = index
            .parse(path, source, &arguments)
            .map_err(|error| explain(&error, flags))?;
        work(&unit)
    };
    thread::scope(|scope| {
        let worker = thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work);
        match worker.map(|worker| worker.join()) {
            Ok(Ok(result)) => result.map_err(refused),
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => Err(refused(format!("cannot start a thread: {error}"))),
        }
    })
}

fn explain(error: &ParseError, flags: &[OsString]) -> String {
    match error {
        ParseError::FlagsRejected => {
            let flags: Vec<_> = flags.iter().map(|flag| flag.to_string_lossy()).collect();
            format!("clang rejects these flags: {}", flags.join(" "))
        }
        ParseError::Crashed(what) => (*what).to_owned(),
        ParseError::Errors { shown, total } => {
            let more = total - shown.len();
            let mut text = format!("does not compile: {}", shown.join("; "));
            if more > 0 {
                let plural = if more == 1 { "" } else { "s" };
                text.push_str(&format!("; and {more} more error{plural}"));
            }
            text
        }
    }
}

fn lower_unit(
    unit: &Unit<'_>,
    path: &Path,
    source: &Arc<[u8]>,
    flags: &[OsString],
) -> Result<Program, String> {
    let mut macro_names = HashSet::new();
    let mut macro_uses = Vec::new();
    let mut declarations = Vec::new();
    let main_file = unit.main_file();
    unit.root().walk(|cursor, _| {
        match cursor.kind() {
            CursorKind::MacroDefinition => {
                macro_names.insert(cursor.spelling());
            }
            CursorKind::MacroExpansion => {
                let (start, end) = cursor.extent();
                if start.file == main_file && end.file == main_file && start.offset <= end.offset {
                    macro_uses.push(Span::new(start.offset, end.offset));
                }
            }
            _ => declarations.push(cursor),
        }
        Descent::Over
    });
    let own = OwnText::of(unit, source, flags)?;
    let target = Target {
        long_bits: if macro_names.contains("__LP64__") {
            64
        } else {
            32
        },
        pointer_bits: unit.pointer_bits(),
        char_signed: !macro_names.contains("__CHAR_UNSIGNED__"),
    };
    let skipped: Vec<Span> = unit
        .skipped()
        .into_iter()
        .map(|(start, end)| Span::new(start, end))
        .collect();
    let text = Text::new(source, main_file, macro_uses, &skipped);
    let mut lowering = Lowering::new(text, macro_names, target);
    for declaration in declarations {
        lowering.top_level(declaration)?;
        lowering.types.check()?;
    }
    let mut program = lowering.finish(path, Arc::clone(source), target, &own)?;
    program.has_old_habits = !unit.warnings().is_empty();
    program.flags = flags.to_vec();
    Ok(program)
}

/// What the rules that search for words have to read besides the seed's own text.
struct OwnText {
    /// The seed, the files beside it that it includes and what the flags define, one
    /// after the other.
    text: Vec<u8>,
    /// Whether any file at all says `__COUNTER__`.
    has_counter: bool,
}

impl OwnText {
    fn of(unit: &Unit<'_>, source: &[u8], flags: &[OsString]) -> Result<OwnText, String> {
        let inclusions = unit.inclusions();
        if inclusions.iter().any(|i| i.file == unit.main_file()) {
            return Err("includes itself, so one place in it would be two in the program".into());
        }
        let mut text = source.to_vec();
        for own in inclusions.iter().filter(|i| !is_of_the_system(i)) {
            text.push(b'\n');
            text.extend_from_slice(own.text);
        }
        for flag in flags {
            if let Some(define) = flag.as_bytes().strip_prefix(b"-D") {
                let (name, body) = split_once(define, b'=');
                text.extend_from_slice(&[b"\n#define ", name, b" ", body].concat());
            }
        }
        let counts = |i: &Inclusion<'_>| mentions(i.text, b"__COUNTER__");
        Ok(OwnText {
            has_counter: mentions(&text, b"__COUNTER__") || inclusions.iter().any(counts),
            text,
        })
    }
}

fn split_once(text: &[u8], at: u8) -> (&[u8], &[u8]) {
    let found = text.iter().position(|byte| *byte == at);
    found.map_or((text, &[]), |found| (&text[..found], &text[found + 1..]))
}

/// Whether a header came with a library or a compiler. Their macros use attributes as
/// they are meant to be used.
fn is_of_the_system(inclusion: &Inclusion<'_>) -> bool {
    let path = &inclusion.path;
    path.starts_with("/usr/") || path.contains("/lib/clang/") || path.contains("/lib/gcc/")
}

/// The tables being filled.
struct Lowering<'u, 's> {
    text: Text<'s>,
    /// Names of all macros that are defined anywhere.
    macro_names: HashSet<String>,
    types: TypeTable,
    char_signed: bool,
    scopes: Vec<Scope>,
    variables: Vec<Variable>,
    functions: Vec<SeedFunction>,
    statements: Vec<Statement>,
    exprs: Vec<SeedExpr>,
    uses: Vec<Use>,
    calls: Vec<Call>,
    /// Every declaration of a variable, by clang's identity.
    variable_of: HashMap<Identity, VariableId>,
    function_of: HashMap<Identity, FunctionId>,
    /// C functions share one name space of linkage.
    function_named: HashMap<String, FunctionId>,
    /// Variables with linkage, by name: all declarations of one are one variable.
    linked_named: HashMap<String, VariableId>,
    /// How far the main file has been read; names from an include count from here.
    reached: u32,
    unit: std::marker::PhantomData<Cursor<'u>>,
}

const FILE_SCOPE: ScopeId = ScopeId(0);

impl<'s> Lowering<'_, 's> {
    fn new(text: Text<'s>, macro_names: HashSet<String>, target: Target) -> Self {
        Lowering {
            text,
            macro_names,
            types: TypeTable::new(target.pointer_bits),
            char_signed: target.char_signed,
            scopes: vec![Scope {
                parent: None,
                names: Vec::new(),
            }],
            variables: Vec::new(),
            functions: Vec::new(),
            statements: Vec::new(),
            exprs: Vec::new(),
            uses: Vec::new(),
            calls: Vec::new(),
            variable_of: HashMap::new(),
            function_of: HashMap::new(),
            function_named: HashMap::new(),
            linked_named: HashMap::new(),
            reached: 0,
            unit: std::marker::PhantomData,
        }
    }

    fn finish(
        self,
        path: &Path,
        source: Arc<[u8]>,
        target: Target,
        own: &OwnText,
    ) -> Result<Program, String> {
        if let Some(word) = OUR_WORDS
            .iter()
            .find(|word| self.macro_names.contains(**word))
        {
            return Err(format!(
                "defines {word} as a macro, which variants would use"
            ));
        }
        let file_names = self.scopes[FILE_SCOPE.index()].ordinary_names();
        let mut program = Program {
            path: path.to_owned(),
            has_counter: own.has_counter,
            gets_memory: false,
            has_blank_bytes: false,
            hands_out_memory: has_attribute(&own.text, "malloc"),
            says_restrict: [&b"restrict"[..], b"__restrict", b"__restrict__"]
                .into_iter()
                .any(|word| mentions(&own.text, word)),
            has_special_types: ["may_alias", "aligned"]
                .into_iter()
                .any(|word| has_attribute(&own.text, word)),
            has_cleanups: has_attribute(&own.text, "cleanup"),
            has_old_habits: false,
            type_macros: TypeMacros::of(&own.text),
            source,
            target,
            flags: Vec::new(),
            types: self.types.types,
            scopes: self.scopes,
            variables: self.variables,
            functions: self.functions,
            statements: self.statements,
            exprs: self.exprs,
            uses: self.uses,
            calls: self.calls,
            macros: self.macro_names,
            file_names,
            permissions: Vec::new(),
            initialised: Initialised::default(),
        };
        mark_addresses_taken(&mut program);
        leave::second_names(&mut program, &own.text);
        leave::what_pure_functions_call(&mut program);
        leave::what_returns_twice(&mut program, &own.text);
        leave::what_signals_reach(&mut program);
        leave::what_is_watched(&mut program);
        mark_unused(&mut program);
        mark_whole_records(&mut program);
        program.permissions = (0..program.variables.len())
            .map(|index| Permission::of(&program, VariableId::new(index)))
            .collect();
        program.initialised = Initialised::analyse(&program);
        Ok(program)
    }
}

fn mark_addresses_taken(program: &mut Program) {
    for used in &program.uses {
        if matches!(
            used.access,
            super::Access::AddressTaken | super::Access::Unknown
        ) {
            program.variables[used.variable.index()].address_taken = true;
        }
    }
}

fn mark_unused(program: &mut Program) {
    let own_statement = |variable: &Variable| {
        let statement = &program.statements[variable.statement?.index()];
        matches!(statement.kind, StatementKind::Declaration { .. }).then_some(statement.span)
    };
    let declared: Vec<Option<Span>> = program.variables.iter().map(own_statement).collect();
    for (variable, declared) in program.variables.iter_mut().zip(&declared) {
        variable.is_used_elsewhere = declared.is_none();
    }
    for used in &program.uses {
        let declared = declared[used.variable.index()];
        if declared.is_some_and(|declared| !declared.contains(used.span)) {
            program.variables[used.variable.index()].is_used_elsewhere = true;
        }
    }
}
