//! Scopes and what a name means at a place.

use super::Program;
use super::ids::{FunctionId, ScopeId, StatementId, VariableId};
use super::statement::StatementKind;
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// A region of the program that names are declared in.
#[derive(Clone, Debug, Serialize)]
pub struct Scope {
    pub parent: Option<ScopeId>,
    /// In the order of declaration.
    pub names: Vec<DeclaredName>,
}

/// A declared ordinary identifier or tag.
#[derive(Clone, Debug, Serialize)]
pub struct DeclaredName {
    pub text: String,
    pub meaning: Meaning,
    /// Byte of the seed from which the name has this meaning.
    pub from: u32,
    /// Whether a macro of this name is defined anywhere, so that writing the name
    /// may mean something else.
    pub is_macro_too: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Meaning {
    Variable(VariableId),
    Function(FunctionId),
    Typedef,
    EnumConstant,
    /// The name of a struct, union or enum, in the name space of tags.
    Tag,
}

impl Meaning {
    fn is_tag(self) -> bool {
        self == Meaning::Tag
    }
}

impl Scope {
    /// Where in the list each ordinary identifier is first.
    pub(super) fn ordinary_names(&self) -> HashMap<String, usize> {
        let mut places = HashMap::new();
        for (place, name) in self.names.iter().enumerate() {
            if !name.meaning.is_tag() {
                places.entry(name.text.clone()).or_insert(place);
            }
        }
        places
    }
}

impl Program {
    /// The innermost scope around both.
    pub(super) fn scope_around(&self, mut one: ScopeId, mut other: ScopeId) -> ScopeId {
        let parent = |scope: ScopeId| {
            let parent = self.scopes[scope.index()].parent;
            parent.expect("only the first scope, that of the file, is in no other")
        };
        while one != other {
            // Scopes are numbered from the outside in.
            if one.index() > other.index() {
                one = parent(one);
            } else {
                other = parent(other);
            }
        }
        one
    }

    /// The meaning of one identifier at the place before `statement`. Large programs
    /// have thousands of names at every place, and few are asked for.
    pub fn name_at(&self, statement: StatementId, text: &str) -> Option<&DeclaredName> {
        let place = self.statement(statement);
        let is_known =
            |name: &DeclaredName| name.from <= place.span.start && !name.meaning.is_tag();
        let mut scope = &self.scopes[place.scope.index()];
        while let Some(parent) = scope.parent {
            let mut names = scope.names.iter().rev();
            if let Some(name) = names.find(|name| name.text == text && is_known(name)) {
                return Some(name);
            }
            scope = &self.scopes[parent.index()];
        }
        let name = &scope.names[*self.file_names.get(text)?];
        is_known(name).then_some(name)
    }

    /// The meanings of all ordinary identifiers at the place before `statement`,
    /// innermost scope first; a shadowed name appears once, with its inner meaning.
    pub fn names_at(&self, statement: StatementId) -> Vec<&DeclaredName> {
        let place = self.statement(statement);
        self.names_before(place.scope, place.span.start)
    }

    /// The same at any byte of a scope.
    pub(crate) fn names_before(&self, scope: ScopeId, offset: u32) -> Vec<&DeclaredName> {
        let mut seen: HashSet<&str> = HashSet::new();
        let mut names = Vec::new();
        let mut scope = Some(scope);
        while let Some(id) = scope {
            let inner = &self.scopes[id.index()];
            let is_known = |name: &&DeclaredName| name.from <= offset && !name.meaning.is_tag();
            let known = inner.names.iter().rev().filter(is_known);
            if inner.parent.is_some() {
                names.extend(known.filter(|name| seen.insert(&name.text)));
            } else {
                // No scope lies outside this one, and it has each name once.
                names.extend(known.filter(|name| !seen.contains(name.text.as_str())));
            }
            scope = inner.parent;
        }
        names
    }

    /// The scope in which the expressions of a statement itself stand: that of a `for`
    /// has the names of its first clause.
    pub(crate) fn inner_scope(&self, statement: StatementId) -> ScopeId {
        match self.statement(statement).kind {
            StatementKind::For { body, .. } => self.statement(body).scope,
            _ => self.statement(statement).scope,
        }
    }

    /// Whether `abort` can be declared and called anywhere: the program uses the name for
    /// nothing else.
    pub(crate) fn abort_is_of_the_library(&self) -> bool {
        let mut names = self.scopes.iter().flat_map(|scope| &scope.names);
        let is_library_s = |name: &DeclaredName| match name.meaning {
            Meaning::Function(id) => self.function(id).is_from_header,
            meaning => meaning.is_tag(),
        };
        // One that calls it without a declaration means `int abort()` with -fno-builtin.
        let mut functions = self.functions.iter();
        let mut is_declared = || functions.any(|one| one.name == "abort" && one.is_from_header);
        !self.macros.contains("abort")
            && (!self.has_old_habits || is_declared())
            && names.all(|name| name.text != "abort" || is_library_s(name))
    }

    /// The variables that can be named before `statement`: in scope, not
    /// shadowed, and not hidden by a macro of the same name.
    pub fn visible_at(&self, statement: StatementId) -> Vec<VariableId> {
        self.meanings_at(statement, |meaning| match meaning {
            Meaning::Variable(variable) => Some(variable),
            _ => None,
        })
    }

    /// The functions that can be named before `statement`.
    pub(crate) fn functions_at(&self, statement: StatementId) -> Vec<FunctionId> {
        self.meanings_at(statement, |meaning| match meaning {
            Meaning::Function(function) => Some(function),
            _ => None,
        })
    }

    fn meanings_at<T>(
        &self,
        statement: StatementId,
        wanted: impl Fn(Meaning) -> Option<T>,
    ) -> Vec<T> {
        let names = self
            .names_at(statement)
            .into_iter()
            .filter(|name| !name.is_macro_too);
        names.filter_map(|name| wanted(name.meaning)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::lower;
    use crate::source::clang::Clang;
    use std::path::Path;

    #[test]
    fn abort_is_the_library_s_unless_the_program_says_or_implies_otherwise() {
        let clang = Clang::load().expect("libclang is installed");
        let is_library_s = |text: &str| {
            let flags = ["-std=gnu89".into()];
            let program = lower(&clang, Path::new("a.c"), text.as_bytes().into(), &flags);
            program.unwrap().abort_is_of_the_library()
        };
        assert!(is_library_s("int main(void) { return 0; }"));
        assert!(is_library_s(
            "#include <stdlib.h>\nint main(void) { f(); abort(); }\nf() { return 0; }"
        ));
        // Implicitly `int abort()`, which a declaration of ours before it would contradict.
        assert!(!is_library_s("int main(void) { abort(); return 0; }"));
        assert!(!is_library_s(
            "int abort(int); int main(void) { return 0; }"
        ));
        assert!(!is_library_s(
            "int main(void) { int abort = 1; return abort; }"
        ));
    }
}
