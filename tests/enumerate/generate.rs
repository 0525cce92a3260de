//! Random programs for enumeration, with all that is to be known of their holes.
//!
//! The generator keeps its own account of scopes, so that what it says of candidates is
//! independent of how Mestra reads the text.

use rand::Rng;
use std::collections::HashMap;

/// A program and its holes.
#[derive(Debug, Default)]
pub(super) struct Generated {
    pub(super) text: String,
    /// In the order of the text.
    pub(super) variables: Vec<Declared>,
    pub(super) holes: Vec<Place>,
}

/// A variable.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    name: String,
    pub(super) ty: &'static str,
    pub(super) is_const: bool,
    pub(super) scope: usize,
    /// The text of its initialiser.
    pub(super) value: String,
    /// Variables of equal rows have no statement between their declarations.
    pub(super) row: usize,
    pub(super) is_parameter: bool,
}

/// A hole.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) function: usize,
    pub(super) variable: usize,
    pub(super) candidates: Vec<usize>,
}

const TYPES: [&str; 2] = ["int", "unsigned"];
const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// A program in the making.
struct Maker<'r, R> {
    rng: &'r mut R,
    made: Generated,
    /// The names of the scopes around, outermost first, and the number of each scope.
    scopes: Vec<(usize, HashMap<String, usize>)>,
    next_scope: usize,
    row: usize,
    function: usize,
}

pub(super) fn generate(rng: &mut impl Rng) -> Generated {
    let mut maker = Maker {
        rng,
        made: Generated::default(),
        scopes: vec![(0, HashMap::new())],
        next_scope: 1,
        row: 0,
        function: 0,
    };
    maker.write("void take(int, ...);\n");
    let globals = maker.rng.random_range(0..3);
    // Statements between globals do not matter: their rows are all the same.
    for _ in 0..globals {
        maker.declaration(true);
    }
    for function in 0..maker.rng.random_range(1..3) {
        maker.function(function);
    }
    maker.made
}

impl<R: Rng> Maker<'_, R> {
    fn write(&mut self, text: &str) {
        self.made.text.push_str(text);
    }

    fn function(&mut self, number: usize) {
        self.function = number;
        self.enter();
        let name = ["main", "other"][number];
        self.write(&format!("int {name}("));
        if number == 1 {
            for index in 0..self.rng.random_range(1..3) {
                let separator = ["", ", "][index];
                self.write(separator);
                self.write("int ");
                self.declarator("int", false, true);
            }
        } else {
            self.write("void");
        }
        self.write(") {\n");
        self.items(0);
        self.write("return 0; }\n");
        self.scopes.pop();
    }

    fn enter(&mut self) {
        self.scopes.push((self.next_scope, HashMap::new()));
        self.next_scope += 1;
    }

    fn items(&mut self, depth: u32) {
        self.row += 1;
        for _ in 0..self.rng.random_range(2..6) {
            match self.rng.random_range(0..6) {
                0 | 1 => self.declaration(false),
                2 if depth < 2 => {
                    self.row += 1;
                    self.enter();
                    self.write("{\n");
                    self.items(depth + 1);
                    self.write("}\n");
                    self.scopes.pop();
                    self.row += 1;
                }
                _ => {
                    self.statement();
                    self.row += 1;
                }
            }
        }
    }

    fn declaration(&mut self, is_global: bool) {
        let ty = TYPES[self.rng.random_range(0..2)];
        let is_const = self.rng.random_range(0..8) == 0;
        let row = self.row;
        if is_global {
            self.row = 0;
        }
        self.write(if is_const { "const " } else { "" });
        self.write(ty);
        self.write(" ");
        self.declarator(ty, is_const, false);
        if self.rng.random_range(0..2) == 0 {
            self.write(", ");
            self.declarator(ty, is_const, false);
        }
        self.write(";\n");
        self.row = row;
    }

    fn declarator(&mut self, ty: &'static str, is_const: bool, is_parameter: bool) {
        let (scope, names) = self.scopes.last_mut().unwrap();
        let free: Vec<&str> = NAMES
            .into_iter()
            .filter(|n| !names.contains_key(*n))
            .collect();
        let name = match free.len() {
            0 => format!("x{}", self.made.variables.len()),
            some => free[self.rng.random_range(0..some)].to_owned(),
        };
        names.insert(name.clone(), self.made.variables.len());
        let value = match self.rng.random_range(0..3) {
            _ if is_parameter => "",
            0 => " = 1",
            1 => " = 2",
            _ => "",
        };
        self.made.variables.push(Declared {
            name: name.clone(),
            ty,
            is_const,
            scope: *scope,
            value: value.to_owned(),
            row: self.row,
            is_parameter,
        });
        self.write(&format!("{name}{value}"));
    }

    fn statement(&mut self) {
        let ty = TYPES[self.rng.random_range(0..2)];
        if self.rng.random_range(0..3) == 0 && !self.visible(ty, true).is_empty() {
            self.hole(ty, true);
            self.write(" = ");
            self.hole(ty, false);
            self.write(";\n");
        } else {
            self.write("take(0");
            for _ in 0..self.rng.random_range(1..3) {
                if !self.visible(ty, false).is_empty() {
                    self.write(", ");
                    self.hole(ty, false);
                }
            }
            self.write(");\n");
        }
    }

    /// The variables of a type that can be named here.
    fn visible(&self, ty: &str, is_written: bool) -> Vec<usize> {
        let mut meaning: HashMap<&str, usize> = HashMap::new();
        for (_, names) in &self.scopes {
            meaning.extend(
                names
                    .iter()
                    .map(|(name, variable)| (name.as_str(), *variable)),
            );
        }
        let fits = |index: &usize| {
            let variable = &self.made.variables[*index];
            variable.ty == ty && !(is_written && variable.is_const)
        };
        let mut found: Vec<usize> = meaning.into_values().filter(fits).collect();
        found.sort_unstable();
        found
    }

    fn hole(&mut self, ty: &str, is_written: bool) {
        let candidates = self.visible(ty, is_written);
        let variable = candidates[self.rng.random_range(0..candidates.len())];
        let name = self.made.variables[variable].name.clone();
        self.write(&name);
        self.made.holes.push(Place {
            function: self.function,
            variable,
            candidates,
        });
    }
}
