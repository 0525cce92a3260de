//! A `Program` as text for people and as JSON for programs.

use super::ids::{StatementId, VariableId};
use super::lines::Lines;
use super::statement::{Insertion, NoPoint, Statement};
use super::{Program, Role, StatementKind, Storage, Unreadable, Unwritable};
use serde::Serialize;
use serde::ser::Serializer;
use std::fmt::Display;
use std::io::{self, Write};

/// Shows a program.
#[derive(Debug)]
pub struct Dump<'p> {
    pub(super) program: &'p Program,
    pub(super) lines: Lines,
}

impl<'p> Dump<'p> {
    pub fn new(program: &'p Program) -> Dump<'p> {
        Dump {
            program,
            lines: Lines::new(&program.source),
        }
    }

    /// The text form: globals once, then each function with its statements, and
    /// at each point the local variables that may be read or why not.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let program = self.program;
        writeln!(
            out,
            "{}: {} functions, {} statements, {} points",
            program.path.display(),
            program.definitions().count(),
            program.statements.len(),
            program.points().count()
        )?;
        writeln!(
            out,
            "target: {}-bit pointers, {}-bit long, {} char",
            program.target.pointer_bits,
            program.target.long_bits,
            if program.target.char_signed {
                "signed"
            } else {
                "unsigned"
            }
        )?;
        self.write_globals(out)?;
        for (_, function, definition) in program.definitions() {
            let (line, column) = self.lines.locate(definition.span.start);
            write!(out, "\nfunction {} at {line}:{column}", function.name)?;
            if !definition.hands_off.is_empty() {
                write!(out, " (left alone: {})", list(&definition.hands_off))?;
            }
            writeln!(out)?;
            for &parameter in &definition.parameters {
                let variable = program.variable(parameter);
                let ty = program.types.describe(variable.ty);
                writeln!(out, "  parameter {}: {ty}", variable.name)?;
            }
            for id in definition.statement_ids() {
                self.write_statement(out, id)?;
            }
        }
        Ok(())
    }

    fn write_globals(&self, out: &mut dyn Write) -> io::Result<()> {
        let program = self.program;
        for variable in program.variables.iter().filter(|v| v.function.is_none()) {
            let ty = program.types.describe(variable.ty);
            write!(out, "global {}: {ty}", variable.name)?;
            if variable.storage == Storage::External {
                write!(out, " (defined elsewhere)")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    fn write_statement(&self, out: &mut dyn Write, id: StatementId) -> io::Result<()> {
        let program = self.program;
        let statement = program.statement(id);
        let (line, column) = self.lines.locate(statement.span.start);
        let indent = "  ".repeat(self.depth(id) + 1);
        write!(
            out,
            "{indent}{id} {line}:{column} {}",
            statement.kind.name()
        )?;
        match &statement.kind {
            StatementKind::Declaration { variables } | StatementKind::For { variables, .. } => {
                for &variable in variables {
                    let variable = program.variable(variable);
                    write!(
                        out,
                        " {}: {}",
                        variable.name,
                        program.types.describe(variable.ty)
                    )?;
                }
            }
            StatementKind::Label { name, .. } | StatementKind::Goto { label: name, .. } => {
                write!(out, " {name}")?;
            }
            _ => {}
        }
        match statement.insertion {
            Ok(insertion) => {
                if insertion == Insertion::Braced {
                    write!(out, " (needs braces)")?;
                }
                writeln!(out)?;
                self.write_point(out, id, &indent)
            }
            // Said once, at the function.
            Err(NoPoint::FunctionHandsOff | NoPoint::Body) => writeln!(out),
            Err(reason) => writeln!(out, " (no point: {reason})"),
        }
    }

    fn write_point(&self, out: &mut dyn Write, id: StatementId, indent: &str) -> io::Result<()> {
        let program = self.program;
        let (mut reads, mut others, mut globals) = (Vec::new(), Vec::new(), 0);
        for (variable, readable) in program.readable_at(id) {
            let held = program.variable(variable);
            match readable {
                Ok(()) if held.function.is_none() => globals += 1,
                Ok(()) => reads.push(held.name.clone()),
                Err(_) if held.function.is_none() => {}
                Err(reason) => others.push(format!("{} ({reason})", held.name)),
            }
        }
        if globals > 0 {
            let plural = if globals == 1 { "" } else { "s" };
            reads.push(format!("{globals} global{plural}"));
        }
        if !reads.is_empty() {
            writeln!(out, "{indent}  reads {}", reads.join(", "))?;
        }
        if !others.is_empty() {
            writeln!(out, "{indent}  not {}", others.join(", "))?;
        }
        Ok(())
    }

    fn depth(&self, mut id: StatementId) -> usize {
        let mut depth = 0;
        while let Some(parent) = self.program.statement(id).parent {
            depth += 1;
            id = parent;
        }
        depth
    }

    /// The JSON form: every table, with variables and types by number.
    pub fn write_json(&self, out: &mut dyn Write) -> serde_json::Result<()> {
        let program = self.program;
        let statements = program
            .statement_ids()
            .map(|id| self.statement_json(id, program.statement(id)))
            .collect();
        let form = ProgramJson {
            path: program.path.to_string_lossy().into_owned(),
            target: program.target,
            functions: &program.functions,
            variables: &program.variables,
            scopes: &program.scopes,
            types: &program.types,
            expressions: &program.exprs,
            uses: &program.uses,
            calls: &program.calls,
            statements,
        };
        serde_json::to_writer(out, &form)
    }

    fn statement_json(&self, id: StatementId, statement: &'p Statement) -> StatementJson<'p> {
        let (line, column) = self.lines.locate(statement.span.start);
        let point = statement.insertion.ok().map(|insertion| {
            let mut point = PointJson {
                insertion,
                readable: Vec::new(),
                writable: Vec::new(),
                unreadable: Vec::new(),
                unwritable: Vec::new(),
            };
            for (variable, readable) in self.program.readable_at(id) {
                match readable {
                    Ok(()) => point.readable.push(variable),
                    Err(reason) => point.unreadable.push(Why { variable, reason }),
                }
            }
            for (variable, writable) in self.program.writable_at(id) {
                match writable {
                    Ok(()) => point.writable.push(variable),
                    Err(reason) => point.unwritable.push(Why { variable, reason }),
                }
            }
            point
        });
        StatementJson {
            id,
            kind: &statement.kind,
            role: statement.role,
            parent: statement.parent,
            line,
            column,
            start: statement.span.start,
            end: statement.span.end,
            end_is_known: statement.end_is_known,
            scope: statement.scope,
            children: &statement.children,
            parts: &statement.parts,
            no_point: statement.insertion.err(),
            point,
        }
    }
}

#[derive(Serialize)]
struct ProgramJson<'p> {
    path: String,
    target: crate::code::types::Target,
    functions: &'p [super::SeedFunction],
    variables: &'p [super::Variable],
    scopes: &'p [super::Scope],
    types: &'p super::SeedTypes,
    expressions: &'p [super::SeedExpr],
    uses: &'p [super::Use],
    calls: &'p [super::Call],
    statements: Vec<StatementJson<'p>>,
}

#[derive(Serialize)]
struct StatementJson<'p> {
    id: StatementId,
    kind: &'p StatementKind,
    role: Role,
    parent: Option<StatementId>,
    line: usize,
    column: usize,
    start: u32,
    end: u32,
    end_is_known: bool,
    scope: super::ScopeId,
    children: &'p [StatementId],
    parts: &'p [super::StatementPart],
    no_point: Option<NoPoint>,
    point: Option<PointJson>,
}

#[derive(Serialize)]
struct PointJson {
    insertion: Insertion,
    readable: Vec<VariableId>,
    writable: Vec<VariableId>,
    unreadable: Vec<Why<Unreadable>>,
    unwritable: Vec<Why<Unwritable>>,
}

#[derive(Serialize)]
struct Why<R: Display> {
    variable: VariableId,
    #[serde(serialize_with = "in_words")]
    reason: R,
}

fn in_words<S: Serializer>(reason: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(reason)
}

fn list(items: &[impl Display]) -> String {
    items
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}
