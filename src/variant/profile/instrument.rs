//! The seed's text with recording calls at its points.
//!
//! Every inserted text is on one line, and a `#line` follows the prologue, so
//! that `__LINE__` means what it meant. A sampled point hands its locals over, as
//! `reading` says; globals are the same at every point, so one function at the end of
//! the file reads them all and is called from the runtime.

use super::layout::SampleShape;
use super::reading::{Reading, store};
use super::{LeafColumn, Unreached};
use crate::source::deletion;
use crate::source::edit::Edits;
use crate::source::program::{
    LeafKind, Meaning, Program, ScopeId, SeedType, StatementId, StatementKind, Storage, VariableId,
};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

/// Names that start so are ours.
pub(super) const PREFIX: &str = "mestra__";

/// How many leaves of a global are recorded, and of all globals together.
const LEAVES_OF_A_GLOBAL: usize = 8;
const GLOBAL_COLUMNS: usize = 256;

/// How many leaves of a local are recorded at a point, and of all locals together,
/// those that the code around uses first, then those of inner scopes. Csmith's functions
/// have hundreds of leaves in scope, and gcc takes 12 µs for each at each sampled point.
const LEAVES_OF_A_LOCAL: usize = 3;
const LOCAL_COLUMNS: usize = 16;

/// An instrumented seed and the key to what it records.
#[derive(Debug)]
pub(super) struct Instrumented {
    /// All but the name of the file to record into.
    text: Vec<u8>,
    pub(super) columns: Vec<LeafColumn>,
    pub(super) objects: Vec<VariableId>,
    /// Every point, in the order of statements; its index is its number.
    pub(super) points: Vec<StatementId>,
    pub(super) samples: Vec<SamplePlan>,
}

impl Instrumented {
    /// The C text of a program that records into this file.
    pub(super) fn recording_into(&self, file: &Path) -> Vec<u8> {
        let path = format!("const char {PREFIX}path[] = {};\n", c_string(file));
        [self.text.as_slice(), path.as_bytes()].concat()
    }
}

/// What one sampled point records: its own columns, then all of the globals'.
#[derive(Debug)]
pub(super) struct SamplePlan {
    /// Index into the points.
    pub(super) point: usize,
    /// Indices into the columns.
    pub(super) columns: Vec<u32>,
    pub(super) locals: usize,
    /// Which of the columns can be named at the point.
    pub(super) visible: Vec<bool>,
}

impl SamplePlan {
    pub(super) fn shape(&self) -> SampleShape {
        SampleShape {
            locals: self.locals,
            columns: self.columns.len(),
        }
    }
}

/// Whether the seed uses names that we would add.
pub(super) fn uses_our_names(source: &[u8]) -> bool {
    source
        .windows(PREFIX.len())
        .any(|window| window == PREFIX.as_bytes())
}

/// Instruments a program: every point counts its visits, those in `sampled`
/// record values. Of what is known to be unreached, as much as possible is left out.
pub(super) fn instrument(
    program: &Program,
    sampled: &[StatementId],
    unreached: Option<&Unreached>,
    reading: Reading,
) -> Instrumented {
    let mut builder = Builder {
        program,
        reading,
        columns: Vec::new(),
        known: HashMap::new(),
        edits: Edits::new(),
        samples: Vec::new(),
    };
    let globals = builder.global_columns();
    let points: Vec<StatementId> = program.points().collect();
    let mut sampled = sampled.iter().copied().peekable();
    for (number, &point) in points.iter().enumerate() {
        while sampled.next_if(|&other| other < point).is_some() {}
        let text = match sampled.next_if_eq(&point) {
            Some(_) => builder.sample(number, point, &globals),
            None => format!("{PREFIX}hit({number}); "),
        };
        builder
            .edits
            .insert_at_point(program.statement(point), text);
    }
    if let Some(unreached) = unreached {
        for (_, _, definition) in program.definitions() {
            builder.leave_out(definition.body(), unreached);
        }
    }
    let objects = objects(program);
    let body = builder
        .edits
        .render(&program.source)
        .expect("insertions at points never conflict");
    let locals = builder
        .samples
        .iter()
        .map(|sample| sample.locals)
        .max()
        .unwrap_or(0);
    let text = assemble(&builder, &body, &globals, &objects, locals);
    Instrumented {
        text,
        columns: builder.columns,
        objects,
        points,
        samples: builder.samples,
    }
}

struct Builder<'p> {
    program: &'p Program,
    reading: Reading,
    columns: Vec<LeafColumn>,
    /// By the C text and the variable: the column of a leaf.
    known: HashMap<(VariableId, String), u32>,
    edits: Edits,
    samples: Vec<SamplePlan>,
}

impl Builder<'_> {
    /// The columns of one variable, made when first asked for.
    fn columns_of(&mut self, variable: VariableId, limit: usize) -> Vec<u32> {
        let program = self.program;
        let leaves = program.leaves(variable, limit);
        let mut columns = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            if !is_recordable(program, leaf.kind) {
                continue;
            }
            let text = program.place_text(&leaf.place);
            let next = self.columns.len() as u32;
            let column = *self.known.entry((variable, text.clone())).or_insert(next);
            if column == next {
                self.columns.push(LeafColumn {
                    place: leaf.place,
                    text,
                    kind: leaf.kind,
                });
            }
            columns.push(column);
        }
        columns
    }

    /// The columns of all variables that are named at the end of the file.
    fn global_columns(&mut self) -> Vec<u32> {
        let program = self.program;
        let file_scope = &program.scopes[ScopeId(0).index()];
        let mut columns = Vec::new();
        for name in file_scope.names.iter().filter(|name| !name.is_macro_too) {
            let Meaning::Variable(variable) = name.meaning else {
                continue;
            };
            if program.is_observable(variable) {
                columns.extend(self.columns_of(variable, LEAVES_OF_A_GLOBAL));
            }
            if columns.len() >= GLOBAL_COLUMNS {
                columns.truncate(GLOBAL_COLUMNS);
                break;
            }
        }
        columns
    }

    /// The recording code of a sampled point.
    fn sample(&mut self, number: usize, point: StatementId, globals: &[u32]) -> String {
        let program = self.program;
        let mut columns = Vec::new();
        let mut visible_globals = vec![false; program.variables.len()];
        let near = program.used_near(point);
        let mut visible_variables = program.visible_at(point);
        visible_variables.sort_by_key(|variable| !near.contains(variable));
        for variable in visible_variables {
            if program.observable(variable, point).is_err() {
                continue;
            }
            if program.variable(variable).function.is_some() {
                columns.extend(self.columns_of(variable, LEAVES_OF_A_LOCAL));
            } else {
                visible_globals[variable.index()] = true;
            }
        }
        columns.truncate(LOCAL_COLUMNS);
        let locals = columns.len();
        let read: Vec<&LeafColumn> = columns
            .iter()
            .map(|column| &self.columns[*column as usize])
            .collect();
        let numbers = (number, self.samples.len());
        let text = self.reading.record(program, &read, numbers);
        let mut visible = vec![true; locals];
        visible.extend(
            globals.iter().map(|&column| {
                visible_globals[self.columns[column as usize].place.variable.index()]
            }),
        );
        columns.extend_from_slice(globals);
        self.samples.push(SamplePlan {
            point: number,
            columns,
            locals,
            visible,
        });
        text
    }

    /// Replaces the outermost dead statements by a call that tells if control comes
    /// there after all. A `case` stays: without it, control would go elsewhere.
    fn leave_out(&mut self, id: StatementId, unreached: &Unreached) {
        let program = self.program;
        let statement = program.statement(id);
        let is_left_out = unreached.is_dead(id)
            && !matches!(statement.kind, StatementKind::Declaration { .. })
            && !program.has_case(id)
            && deletion::check(program, id).is_ok();
        if is_left_out {
            let call = format!("{PREFIX}lost();");
            deletion::delete(program, id, &call, &mut self.edits);
            return;
        }
        for child in &statement.children {
            self.leave_out(*child, unreached);
        }
    }
}

/// Pointers to functions cannot portably be compared with objects.
fn is_recordable(program: &Program, kind: LeafKind) -> bool {
    match kind {
        LeafKind::Integer { .. } | LeafKind::Float { .. } => true,
        LeafKind::Pointer { to } => !matches!(program.types.get(to), SeedType::Function { .. }),
    }
}

/// Variables whose addresses are constants that every point could name: what
/// pointers are told to point to. They live as long as the program, so an equal
/// address is a valid one.
fn objects(program: &Program) -> Vec<VariableId> {
    let file_scope = &program.scopes[ScopeId(0).index()];
    let mut objects = Vec::new();
    for name in file_scope.names.iter().filter(|name| !name.is_macro_too) {
        let Meaning::Variable(id) = name.meaning else {
            continue;
        };
        let variable = program.variable(id);
        let has_size = program
            .types
            .info(variable.ty.id)
            .size
            .is_some_and(|size| size > 0);
        if variable.storage == Storage::Global
            && !variable.is_thread_local
            && !variable.is_from_system_header
            && !variable.has_asm_name
            && has_size
            && variable.complete_from < u32::MAX
        {
            objects.push(id);
        }
    }
    objects
}

fn assemble(
    builder: &Builder<'_>,
    body: &[u8],
    globals: &[u32],
    objects: &[VariableId],
    locals: usize,
) -> Vec<u8> {
    let mut text = Vec::with_capacity(body.len() + globals.len() * 64);
    // A byte order mark must stay first.
    let mark: &[u8] = b"\xef\xbb\xbf";
    let (mark, body) = if body.starts_with(mark) {
        body.split_at(3)
    } else {
        (&b""[..], body)
    };
    text.extend_from_slice(mark);
    let prologue = format!(
        "__extension__ typedef unsigned long long {PREFIX}word; \
         extern {PREFIX}word {PREFIX}v[]; \
         void {PREFIX}hit(unsigned); void {PREFIX}row(unsigned, unsigned); \
         void {PREFIX}row_at(unsigned, unsigned, const char *, ...); \
         void {PREFIX}lost(void); \
         {PREFIX}word {PREFIX}where(const volatile void *); \
         {PREFIX}word {PREFIX}single(float); {PREFIX}word {PREFIX}double(double);\n#line 1\n"
    );
    text.extend_from_slice(prologue.as_bytes());
    text.extend_from_slice(body);
    let mut epilogue = format!(
        "\n{PREFIX}word {PREFIX}v[{}];\nvoid {PREFIX}globals({PREFIX}word *{PREFIX}to) {{\n",
        locals + globals.len() + 1
    );
    for (index, &column) in globals.iter().enumerate() {
        let column = &builder.columns[column as usize];
        store(&mut epilogue, &format!("{PREFIX}to[{index}]"), column);
        epilogue.push('\n');
    }
    let _ = write!(
        epilogue,
        "(void){PREFIX}to;\n}}\n\
         struct {PREFIX}object {{ const volatile char *start; {PREFIX}word size, number; }};\n\
         struct {PREFIX}object {PREFIX}objects[] = {{\n"
    );
    for (number, &object) in objects.iter().enumerate() {
        let name = &builder.program.variable(object).name;
        let _ = writeln!(
            epilogue,
            "{{ (const volatile char *)&{name}, sizeof {name}, {number} }},"
        );
    }
    let _ = writeln!(
        epilogue,
        "{{ 0, 0, 0 }} }};\nconst unsigned {PREFIX}object_count = {};",
        objects.len()
    );
    text.extend_from_slice(epilogue.as_bytes());
    text
}

/// A path as a C string constant, whatever bytes it has.
fn c_string(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    let mut text = String::from("\"");
    for &byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Three octal digits end the escape whatever follows.
            let _ = write!(text, "\\{byte:03o}");
        }
    }
    text.push('"');
    text
}
