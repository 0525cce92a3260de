//! What planning keeps on its way through a tree: the names in scope, and the
//! path to the node it is at.

use super::super::ctype::{Type, Types};
use super::super::expr::Var;
use super::super::stmt::USE_NAME;
use super::super::trouble::Mistake;
use super::node::{At, Place, Root, Slot, Temporary};
use super::paths::Paths;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a name means where it is used.
#[derive(Clone, Debug)]
pub(in super::super) struct Resolved {
    pub(in super::super) slot: Slot,
    pub(in super::super) ty: Type,
    pub(in super::super) constant: bool,
    pub(in super::super) volatile: bool,
}

/// Names from outside the tree.
pub(in super::super) trait Resolver {
    /// What a variable's name means; for a tree that is only to be typed, the
    /// variable itself says.
    fn find(&self, var: &Var) -> Option<Resolved>;
}

/// Turns trees into plans.
pub(in super::super) struct Planner<'a> {
    pub(super) types: &'a Types,
    outside: &'a dyn Resolver,
    /// Names declared in the tree, innermost last.
    pub(super) names: Vec<(Arc<str>, Resolved)>,
    pub(in super::super) paths: Paths,
    /// Locals whose address is taken.
    pub(super) taken: BTreeSet<u32>,
    /// Functions that are called.
    pub(in super::super) calls: BTreeSet<Arc<str>>,
    /// The types of temporaries.
    pub(in super::super) temporaries: Vec<Type>,
}

impl<'a> Planner<'a> {
    pub(in super::super) fn new(types: &'a Types, outside: &'a dyn Resolver) -> Planner<'a> {
        Planner {
            types,
            outside,
            names: Vec::new(),
            paths: Paths::new(),
            taken: BTreeSet::new(),
            calls: BTreeSet::new(),
            temporaries: Vec::new(),
        }
    }

    pub(super) fn mistake(&self, what: &'static str) -> Mistake {
        Mistake {
            what,
            path: self.paths.get(self.paths.here()),
        }
    }

    /// The way to the current node.
    pub(super) fn at(&self) -> At {
        self.paths.here()
    }

    /// Plans a child of the current node.
    pub(super) fn inside<T>(
        &mut self,
        child: u32,
        plan: impl FnOnce(&mut Self) -> Result<T, Mistake>,
    ) -> Result<T, Mistake> {
        let back = self.paths.descend(child);
        let planned = plan(self)?;
        self.paths.go_back(back);
        Ok(planned)
    }

    pub(super) fn resolve(&mut self, var: &Var) -> Result<Resolved, Mistake> {
        let local = self.names.iter().rev().find(|(name, _)| *name == var.name);
        let known = match local {
            Some((_, known)) => Some(known.clone()),
            None => self.outside.find(var),
        };
        match known {
            _ if *var.name == *USE_NAME => Err(self.mistake("a reserved name")),
            None => Err(self.mistake("a variable that is not in scope")),
            Some(known) if known.ty != var.ty => {
                Err(self.mistake("a variable declared with another type"))
            }
            Some(known) => Ok(known),
        }
    }

    /// A new object for a struct that has no name.
    pub(super) fn temporary(&mut self, ty: &Type) -> Result<Temporary, Mistake> {
        let cells = self.cells(ty)?;
        let index = self.temporaries.len() as u32;
        self.temporaries.push(ty.clone());
        Ok(Temporary { index, cells })
    }

    /// Notes that a pointer to (a part of) a local may now exist.
    pub(super) fn taken(&mut self, place: &Place) {
        if let Root::Slot(Slot::Local(local)) = place.root {
            self.taken.insert(local);
        }
    }
}
