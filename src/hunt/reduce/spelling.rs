//! Types of the seed as text: the declaration of a new variable.

use crate::source::program::{Qualified, SeedType, SeedTypes};

/// The declaration of a name with such a type, without a semicolon; qualifiers of the variable
/// itself are left out. `None` for types that cannot be written down.
pub(super) fn declaration(types: &SeedTypes, ty: Qualified, name: &str) -> Option<String> {
    let ty = Qualified {
        is_const: false,
        is_volatile: false,
        is_restrict: false,
        ..ty
    };
    spelled(types, ty, name)
}

fn spelled(types: &SeedTypes, ty: Qualified, name: &str) -> Option<String> {
    let qualifiers = qualifiers(ty);
    let base = |text: &str| {
        let text = format!("{qualifiers}{text} {name}");
        Some(text.trim_end().to_owned())
    };
    match types.get(ty.id) {
        SeedType::Void => base("void"),
        SeedType::Int(kind) => base(kind.c_name()),
        SeedType::Int128 { signed: true } => base("__int128"),
        SeedType::Int128 { signed: false } => base("unsigned __int128"),
        SeedType::Float(kind) => base(kind.c_name()),
        SeedType::Enum {
            name: Some(tag), ..
        } => base(&format!("enum {tag}")),
        SeedType::Enum {
            underlying: Some(kind),
            ..
        } => base(kind.c_name()),
        SeedType::Record(id) => {
            let record = types.record(*id);
            let keyword = if record.is_union { "union" } else { "struct" };
            match (&record.tag, &record.typedef) {
                (Some(tag), _) => base(&format!("{keyword} {tag}")),
                (None, Some(typedef)) => base(typedef),
                (None, None) => None,
            }
        }
        SeedType::Pointer { to } => {
            let is_nested = matches!(
                types.get(to.id),
                SeedType::Array { .. } | SeedType::Function { .. }
            );
            let pointer = format!("*{qualifiers}{name}");
            let pointer = if is_nested {
                format!("({pointer})")
            } else {
                pointer
            };
            spelled(types, *to, &pointer)
        }
        SeedType::Array {
            element,
            length: Some(length),
        } => spelled(types, *element, &format!("{name}[{length}]")),
        SeedType::Function {
            result,
            parameters,
            variadic: false,
            prototyped: true,
        } => {
            let listed: Option<Vec<String>> = parameters
                .iter()
                .map(|parameter| declaration(types, *parameter, ""))
                .collect();
            let listed = match listed?.join(", ") {
                none if none.is_empty() => "void".to_owned(),
                some => some,
            };
            spelled(types, *result, &format!("{name}({listed})"))
        }
        _ => None,
    }
}

fn qualifiers(ty: Qualified) -> String {
    let words = [(ty.is_const, "const "), (ty.is_volatile, "volatile ")];
    let held = words.iter().filter(|(held, _)| *held);
    held.map(|(_, word)| *word).collect()
}

/// Whether values of the type are numbers or pointers.
pub(super) fn is_scalar(types: &SeedTypes, ty: Qualified) -> bool {
    matches!(
        types.get(ty.id),
        SeedType::Int(_)
            | SeedType::Int128 { .. }
            | SeedType::Float(_)
            | SeedType::Enum { .. }
            | SeedType::Pointer { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::clang::Clang;
    use crate::source::program::lower;
    use std::path::Path;

    /// The variables of a text, each declared anew.
    fn declared(text: &str) -> Vec<Option<String>> {
        let clang = Clang::load().unwrap();
        let text = format!("{text} int main(void) {{ return 0; }}");
        let program = lower(&clang, Path::new("t.c"), text.as_bytes().into(), &[]).unwrap();
        let variables = program.variables.iter();
        variables
            .map(|variable| declaration(&program.types, variable.ty, &variable.name))
            .collect()
    }

    #[test]
    fn a_type_is_written_as_c_wants_it() {
        let text = "struct s { int x; }; typedef struct { int x; } t; enum e { E };
            const unsigned a; int *b[3]; int (*c)[3]; struct s *d; t f; enum e g;
            short (*h)(int, char *); const char *const *i; _Bool j; double k;";
        let expected = [
            "unsigned int a",
            "int *b[3]",
            "int (*c)[3]",
            "struct s *d",
            "t f",
            "enum e g",
            "short (*h)(int, char *)",
            "const char *const *i",
            "_Bool j",
            "double k",
        ];
        let spelled: Vec<String> = declared(text).into_iter().flatten().collect();
        assert_eq!(spelled, expected);
    }

    #[test]
    fn types_without_a_name_or_with_attributes_are_refused() {
        let text = "struct { int x; } a; int b __attribute__((vector_size(8)));";
        assert_eq!(declared(text), [None, None]);
    }
}
