//! Parameters to globals: what a function is given, it finds in a variable instead.

use super::draft::{Draft, Rewrite};
use super::functions::{argument, arguments, calls, heads, lists};
use super::spelling::declaration;
use crate::source::program::{Definition, FunctionId, SeedFunction, TokenKind};

/// What becomes of the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArgumentFate {
    /// They are forgotten, and the variable keeps the value that it has.
    Dropped,
    /// The variable gets them before each call.
    Assigned,
}

/// Makes a variable at file level of each parameter, unless its type cannot be written down
/// or the text grows.
pub(super) fn from_parameters(draft: &Draft, what: ArgumentFate) -> Vec<Rewrite> {
    let mut changes = Vec::new();
    for (id, function, definition) in draft.program.definitions() {
        if function.name == "main" {
            continue;
        }
        for index in 0..definition.parameters.len() {
            changes.extend(from_parameter(draft, id, function, definition, index, what));
        }
    }
    draft.without_growth(changes)
}

fn from_parameter(
    draft: &Draft,
    id: FunctionId,
    function: &SeedFunction,
    definition: &Definition,
    index: usize,
    what: ArgumentFate,
) -> Option<Rewrite> {
    let program = &draft.program;
    let parameter = definition.parameters[index];
    let variable = program.variable(parameter);
    let (first, _) = heads(draft, &function.name).next()?;
    let is_elsewhere = draft.tokens.iter().any(|token| {
        let is_it = draft.is(*token, variable.name.as_bytes()) && token.kind == TokenKind::Word;
        is_it && !definition.span.contains(token.span)
    });
    let name = if is_elsewhere {
        draft.fresh(&format!("{}_{}", function.name, variable.name))
    } else {
        variable.name.clone()
    };
    let declared = declaration(&program.types, variable.ty, &name)?;
    if variable.name.is_empty() {
        return None;
    }
    let mut change = Rewrite::new().insert_before(first.span, format!("{declared}; "));
    let count = definition.parameters.len();
    for span in lists(draft, &function.name, index, count) {
        change = change.delete(span);
    }
    for span in calls(draft, id) {
        let gone = argument(draft, span, index)?;
        change = match what {
            ArgumentFate::Dropped => change.delete(gone),
            ArgumentFate::Assigned => {
                let value = *arguments(draft, span)?.get(index)?;
                let rest = draft.text_with(span, vec![(gone, b" ".to_vec())]);
                let given = [name.as_bytes(), b" = ", draft.text(value), b", ", &rest].concat();
                change.replace(span, [b"(", &given[..], b")"].concat())
            }
        };
    }
    for used in program
        .uses
        .iter()
        .filter(|used| used.variable == parameter)
    {
        if used.is_in_macro {
            return None;
        }
        change = change.replace(used.span, name.as_bytes());
    }
    Some(change)
}

#[cfg(test)]
mod tests {
    use super::super::draft::proposed;
    use super::*;

    fn by(text: &str, what: ArgumentFate) -> Vec<String> {
        proposed(text, |draft| from_parameters(draft, what))
    }

    #[test]
    fn the_variable_takes_the_place_of_arguments() {
        let text = "int f(int, int); int f(int a, int b) { return a - b; }
            int main(void) { int b = 2; return f(1, b) + f(3, 4); }";
        let dropped = [
            "int a; int f(int); int f(int b) { return a - b; } \
             int main(void) { int b = 2; return f(b) + f(4); }",
            "int f_b; int f(int); int f(int a) { return a - f_b; } \
             int main(void) { int b = 2; return f(1) + f(3); }",
        ];
        assert_eq!(by(text, ArgumentFate::Dropped), dropped);
    }

    #[test]
    fn arguments_are_assigned_before_the_call() {
        let text = "static int f(unsigned long p, int *q) { return *q; }
            int main(void) { int i = 2; return f(1, &i); }";
        let all = proposed(text, |draft| {
            let (id, function, definition) = draft.program.definitions().next().unwrap();
            let what = ArgumentFate::Assigned;
            from_parameter(draft, id, function, definition, 1, what)
                .into_iter()
                .collect()
        });
        let assigned = "int *q; static int f(unsigned long p) { return *q; } \
            int main(void) { int i = 2; return (q = &i, f(1)); }";
        assert_eq!(all, [assigned]);
    }

    #[test]
    fn what_makes_the_text_larger_is_refused() {
        let text = "int f(int a) { return a; } int main(void) { return f(1); }";
        assert!(by(text, ArgumentFate::Assigned).is_empty());
    }

    #[test]
    fn parameters_of_main_are_left() {
        let text = "int main(int argc, char **argv) { return argc; }";
        assert!(by(text, ArgumentFate::Dropped).is_empty());
    }
}
