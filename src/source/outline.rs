//! Moving statements into a function of their own, with their variables by address.
//!
//! Everything here is decided from the text: which names mean something else at file level,
//! which variables of the function are used, and whether another function can do what the
//! statements do.

use super::fit::{self, Unfit};
use super::program::{
    Meaning, Program, Qualified, Role, SeedType, Span, StatementId, StatementKind, StatementPart,
    Storage, TokenKind, Tokens, Use, VariableId, mentions,
};
use crate::code::ctype::Type;
use crate::code::print::declare;
use memchr::memmem;

/// With more variables than this, nobody would write such a function.
const MOST_VARIABLES: usize = 8;

/// The same for the number of statements after the first.
const MOST_FURTHER: u32 = 7;

/// A statement as a function and a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outline {
    /// The function that the statement is in, before which the new one goes.
    pub(crate) definition: Span,
    /// What the call replaces.
    pub(crate) span: Span,
    pub(crate) function: String,
    pub(crate) call: String,
}

/// The statement, and so many of its block that follow, as a function of this name.
///
/// A list of several starts with the first statement of its block that declares nothing, so
/// that two such lists are always either identical or disjoint.
pub(crate) fn outline(
    program: &Program,
    at: StatementId,
    further: u32,
    name: &str,
) -> Result<Outline, Unfit> {
    let list = list(program, at, further)?;
    for id in list {
        can_move(program, *id)?;
    }
    // Variables would be reached by new pointers.
    if program.says_restrict || program.hands_out_memory {
        return Err(Unfit::NoOutline("the program has restrict pointers"));
    }
    if program.has_special_types {
        return Err(Unfit::NoOutline(
            "attributes give its types rules of their own",
        ));
    }
    let (first, last) = (
        program.statement(list[0]),
        program.statement(list[list.len() - 1]),
    );
    let span = Span::new(first.span.start, last.span.end);
    let text = program.text(span);
    if memmem::find(text, b"\\\n").is_some() {
        return Err(Unfit::SeveralLines);
    }
    let definition = place(program, at)?;
    let uses = local_uses(program, list, span, definition)?;
    let mut variables: Vec<VariableId> = uses.iter().map(|one| one.variable).collect();
    variables.sort_unstable();
    variables.dedup();
    if variables.len() > MOST_VARIABLES {
        return Err(Unfit::NoOutline("it uses too many variables"));
    }
    let pointer = |id: VariableId| format!("{name}_{}", program.variable(id).name);
    let mut parameters = Vec::with_capacity(variables.len());
    for id in &variables {
        let held = program.variable(*id);
        let ty = passed(program, held.ty)
            .filter(|_| !held.is_register && !held.is_thread_local && !held.has_asm_name)
            // `const` before the declaration would be that of what it points to.
            .filter(|ty| !held.ty.is_const || ty.int_kind().is_some());
        let ty = ty.ok_or(Unfit::NoOutline("a variable has a type that is not passed"))?;
        let constant = if held.ty.is_const { "const " } else { "" };
        let address = ty.pointer();
        parameters.push(format!("{constant}{}", declare(&pointer(*id), &address)));
    }
    let parameters = if parameters.is_empty() {
        "void".to_owned()
    } else {
        parameters.join(", ")
    };
    let addresses = variables
        .iter()
        .map(|id| format!("&{}", program.variable(*id).name));
    let addresses: Vec<String> = addresses.collect();
    let mut body = String::new();
    let mut from = span.start;
    for one in &uses {
        body.push_str(&String::from_utf8_lossy(
            program.text(Span::new(from, one.span.start)),
        ));
        body.push_str(&format!("(*{})", pointer(one.variable)));
        from = one.span.end;
    }
    body.push_str(&String::from_utf8_lossy(
        program.text(Span::new(from, span.end)),
    ));
    // The lines that follow keep their numbers.
    let breaks = text.iter().filter(|byte| **byte == b'\n').count();
    if breaks > 0 {
        body = on_one_line(&body);
    }
    Ok(Outline {
        definition,
        span,
        function: format!("static void {name}({parameters}) {{ {body} }}"),
        call: format!("{name}({});{}", addresses.join(", "), "\n".repeat(breaks)),
    })
}

/// The statement and so many that follow it.
fn list(program: &Program, at: StatementId, further: u32) -> Result<&[StatementId], Unfit> {
    let no = Unfit::NoOutline("there are no such statements in a row");
    let found = program.statements.get(at.index());
    let statement = found.ok_or(Unfit::NoStatement(at))?;
    let siblings = statement
        .parent
        .map(|parent| &program.statement(parent).children);
    let siblings = siblings.ok_or(no.clone())?;
    let from = siblings
        .iter()
        .position(|sibling| *sibling == at)
        .ok_or(no.clone())?;
    let declares = |id: &StatementId| {
        matches!(
            program.statement(*id).kind,
            StatementKind::Declaration { .. }
        )
    };
    let is_first = statement.role == Role::Item && siblings[..from].iter().all(declares);
    if further > 0 && !is_first {
        return Err(no);
    }
    siblings.get(from..=from + further as usize).ok_or(no)
}

/// How many statements that follow one can move with it into a function.
pub(crate) fn most_further(program: &Program, at: StatementId) -> u32 {
    let can_go = |further: &u32| {
        let list = list(program, at, *further);
        list.is_ok_and(|list| can_move(program, list[list.len() - 1]).is_ok())
    };
    (1..=MOST_FURTHER).take_while(can_go).last().unwrap_or(0)
}

/// Whether what a statement does can be done from another function.
fn can_move(program: &Program, id: StatementId) -> Result<(), Unfit> {
    fit::enclosable(program, id)?;
    let statement = program.statement(id);
    if !matches!(
        statement.kind,
        StatementKind::Expression
            | StatementKind::Compound
            | StatementKind::If { .. }
            | StatementKind::Switch { .. }
            | StatementKind::While { .. }
            | StatementKind::Do { .. }
            | StatementKind::For { .. }
    ) {
        return Err(Unfit::Untouchable(statement.kind.name()));
    }
    if fit::jumps_out(program, id, true) || has_far_jump(program, id) {
        return Err(Unfit::Jump);
    }
    Ok(())
}

/// The text with line breaks and comments replaced by spaces. A backslash in front of the break
/// joins what may be one token.
fn on_one_line(text: &str) -> String {
    let text = text.replace("\\\r\n", "").replace("\\\n", "");
    let tokens = Tokens::within_line(text.as_bytes());
    let mut line = String::with_capacity(text.len());
    let mut end = 0;
    for token in tokens.starting_at(0) {
        if token.span.start > end && end > 0 {
            line.push(' ');
        }
        line.push_str(&String::from_utf8_lossy(tokens.text(*token)));
        end = token.span.end;
    }
    line
}

/// Whether a `return` or `goto` is inside.
fn has_far_jump(program: &Program, id: StatementId) -> bool {
    let statement = program.statement(id);
    let mut children = statement.children.iter();
    matches!(
        statement.kind,
        StatementKind::Return
            | StatementKind::Goto { .. }
            | StatementKind::ComputedGoto
            | StatementKind::Asm
            | StatementKind::Other
    ) || children.any(|child| has_far_jump(program, *child))
}

/// The definition around the statement, if another function can stand right before it.
fn place(program: &Program, at: StatementId) -> Result<Span, Unfit> {
    let no = Unfit::NoOutline("no function may be put before that around it");
    let function = program.function(program.statement(at).function);
    let definition = function.definition.as_ref().ok_or(no.clone())?;
    let start = definition.span.start as usize;
    let body = program.statement(definition.body()).span.start as usize;
    // C forbids an inline function with external linkage to use a static one.
    let head = &program.source[start..body];
    let is_inline = head.windows(6).any(|word| word == b"inline");
    let before = &program.source[..start];
    let (line, space) = before.split_at(start_of_last_line(before));
    let starts_line = space.iter().all(u8::is_ascii_whitespace);
    // What stands before comments may be an attribute of the function.
    let mut code = line.trim_ascii_end();
    while let Some(comment) = code.strip_suffix(b"*/") {
        let begin = memmem::rfind(comment, b"/*").ok_or(no.clone())?;
        code = code[..begin].trim_ascii_end();
    }
    let previous = code[start_of_last_line(code)..].trim_ascii();
    let is_end = match previous {
        [] => true,
        [b'#', .., last] => *last != b'\\' && !mentions(previous, b"pragma"),
        [.., b'}' | b';'] => memmem::find(previous, b"//").is_none(),
        _ => false,
    };
    if is_inline || !starts_line || !is_end {
        return Err(no);
    }
    Ok(definition.span)
}

fn start_of_last_line(text: &[u8]) -> usize {
    let end = memchr::memrchr(b'\n', text);
    end.map_or(0, |end| end + 1)
}

/// The uses of the function's own variables in some statements, in the order of the text,
/// if all other names in them mean the same at file level.
fn local_uses(
    program: &Program,
    list: &[StatementId],
    span: Span,
    function: Span,
) -> Result<Vec<Use>, Unfit> {
    let at = list[0];
    let text = program.text(span);
    let parts = || list.iter().flat_map(|id| parts(program, *id));
    let known = parts().flat_map(|part| program.uses_of(part));
    let mut known: Vec<Use> = known.copied().collect();
    known.sort_by_key(|one| one.span.start);
    known.dedup_by_key(|one| one.span.start);
    let no = Err(Unfit::NoOutline("a name in it means nothing elsewhere"));
    let tokens = Tokens::within_line(text);
    let mut uses = Vec::new();
    for token in tokens.starting_at(0) {
        if token.kind == TokenKind::Directive {
            return Err(Unfit::Directive);
        }
        if token.kind != TokenKind::Word {
            continue;
        }
        let word = String::from_utf8_lossy(tokens.text(*token));
        let word = &*word;
        // Among such names are `__func__` and builtins about the function's frame.
        let is_special = word.starts_with("__") || word == "alloca" || word == "asm";
        if is_special || program.macros.contains(word) || is_local_tag(program, at, word) {
            return no;
        }
        let Some(name) = program.name_at(at, word) else {
            continue;
        };
        if name.from <= function.start {
            continue;
        }
        let place = Span::new(span.start + token.span.start, span.start + token.span.end);
        let found = known.binary_search_by_key(&place.start, |one| one.span.start);
        match (name.meaning, found) {
            (Meaning::Variable(variable), Ok(found))
                if known[found].variable == variable
                    && known[found].span == place
                    && !known[found].is_in_macro
                    && program.variable(variable).storage != Storage::External =>
            {
                uses.push(known[found]);
            }
            _ => return no,
        }
    }
    let calls = parts().flat_map(|part| part.calls.clone());
    let mut called = calls.filter_map(|call| program.calls[call as usize].function);
    if called.any(|callee| program.function(callee).declared_at > function.start) {
        return no;
    }
    Ok(uses)
}

/// The parts of a statement and of all that it contains.
fn parts(program: &Program, at: StatementId) -> impl Iterator<Item = &StatementPart> {
    let statements = program.within(at).map(StatementId);
    statements.flat_map(|id| program.statement(id).parts.iter())
}

/// Whether a struct, union or enum of this name is declared in the function around.
fn is_local_tag(program: &Program, at: StatementId, word: &str) -> bool {
    let mut scope = &program.scopes[program.statement(at).scope.index()];
    while let Some(parent) = scope.parent {
        let mut names = scope.names.iter();
        if names.any(|name| name.meaning == Meaning::Tag && name.text == word) {
            return true;
        }
        scope = &program.scopes[parent.index()];
    }
    false
}

/// A type to whose objects a pointer can be passed: numbers, and pointers to numbers.
fn passed(program: &Program, ty: Qualified) -> Option<Type> {
    if ty.is_volatile || ty.is_restrict {
        return None;
    }
    match program.types.get(ty.id) {
        SeedType::Int(kind) => Some(Type::Int(*kind)),
        SeedType::Pointer { to } => Some(Type::Pointer {
            to: passed(program, *to)?.into(),
            constant: to.is_const,
            volatile: false,
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_of_two_lines_stays_one() {
        for end in ["\n", "\r\n"] {
            let text =
                format!("a +\\{end}= b; co\\{end}unt++; /* x{end} */{end}f(\"a\\{end}b\"); c");
            let line = on_one_line(&text);
            assert_eq!(line, "a += b; count++; f(\"ab\"); c");
        }
    }
}
