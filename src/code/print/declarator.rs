//! Types and declarations, inside out as C writes them.

use super::super::ctype::Type;

/// Qualifiers of what is declared.
#[derive(Clone, Copy, Default)]
pub(super) struct Quals {
    pub(super) constant: bool,
    pub(super) volatile: bool,
    /// Of a pointer only.
    pub(super) restrict: bool,
}

impl Quals {
    fn text(self) -> String {
        let constant = if self.constant { "const " } else { "" };
        let volatile = if self.volatile { "volatile " } else { "" };
        // A keyword of every compiler, also where the language is C89.
        let restrict = if self.restrict { "__restrict " } else { "" };
        format!("{constant}{volatile}{restrict}")
    }
}

fn spell(ty: &Type, quals: Quals, inner: String) -> String {
    let named = |name: &str| {
        let space = if inner.is_empty() || inner.starts_with('[') {
            ""
        } else {
            " "
        };
        format!("{}{name}{space}{inner}", quals.text())
    };
    match ty {
        Type::Void => named("void"),
        Type::Int(kind) => named(kind.c_name()),
        Type::Wide(kind) => named(&kind.c_name()),
        Type::Float(kind) => named(kind.c_name()),
        Type::Enum { name, .. } | Type::Record(name) | Type::Opaque(name) => named(name),
        Type::Vector { of, len } => named(&Type::vector_name(of, *len)),
        Type::Pointer {
            to,
            constant,
            volatile,
        } => {
            let star = format!("*{}{inner}", quals.text());
            let star = match **to {
                Type::Array { .. } | Type::Function(_) => format!("({})", star.trim_end()),
                _ => star.trim_end().to_owned(),
            };
            spell(
                to,
                Quals {
                    constant: *constant,
                    volatile: *volatile,
                    restrict: false,
                },
                star,
            )
        }
        Type::Function(function) => {
            let params = function.params.iter().map(type_name);
            let params = parameters(params.collect());
            spell(
                &function.result,
                Quals::default(),
                format!("{inner}({params})"),
            )
        }
        Type::Array { of, len } => spell(of, quals, format!("{inner}[{len}]")),
    }
}

/// The parameters of a function, as they stand between parentheses.
pub(super) fn parameters(list: Vec<String>) -> String {
    if list.is_empty() {
        return "void".to_owned();
    }
    list.join(", ")
}

/// The declaration of a name, without a semicolon.
pub fn declare(name: &str, ty: &Type) -> String {
    spell(ty, Quals::default(), name.to_owned())
}

/// The declaration of an object with qualifiers of its own.
pub(super) fn declare_with(name: &str, ty: &Type, quals: Quals) -> String {
    spell(ty, quals, name.to_owned())
}

/// A type alone, as in a cast.
pub(super) fn type_name(ty: &Type) -> String {
    spell(ty, Quals::default(), String::new())
}

#[cfg(test)]
mod tests {
    use super::super::super::ctype::FunctionType;
    use super::super::super::types::IntKind;
    use super::*;
    use std::sync::Arc;

    #[test]
    fn declarators_read_inside_out() {
        let int = Type::INT;
        assert_eq!(
            declare("x", &Type::Int(IntKind::ULongLong)),
            "unsigned long long x"
        );
        assert_eq!(declare("p", &int.clone().pointer().pointer()), "int **p");
        assert_eq!(declare("a", &int.clone().array(3).array(2)), "int a[2][3]");
        assert_eq!(declare("a", &int.clone().pointer().array(2)), "int *a[2]");
        assert_eq!(declare("p", &int.clone().array(2).pointer()), "int (*p)[2]");
        assert_eq!(type_name(&int.clone().array(2).pointer()), "int (*)[2]");
        assert_eq!(type_name(&Type::record("struct S").pointer()), "struct S *");
        let constant = Type::Pointer {
            to: Arc::new(int),
            constant: true,
            volatile: false,
        };
        assert_eq!(declare("p", &constant), "const int *p");
        let volatile = Quals {
            volatile: true,
            ..Quals::default()
        };
        assert_eq!(
            declare_with("p", &constant, volatile),
            "const int *volatile p"
        );
        let outer = Type::Pointer {
            to: Arc::new(constant),
            constant: true,
            volatile: false,
        };
        assert_eq!(declare("p", &outer), "const int *const *p");
        let function = Type::Function(Arc::new(FunctionType {
            result: Type::Int(IntKind::Long).pointer(),
            params: vec![Type::INT, Type::Void.pointer()],
        }));
        let table = function.pointer().array(3);
        assert_eq!(declare("t", &table), "long *(*t[3])(int, void *)");
    }
}
