//! Statements, declarations and functions as trees.

use super::ctype::Type;
use super::expr::{Callee, Expr, Var};
use super::op::{BinaryOp, StepOp};
use super::value::Value;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The volatile local that [`Stmt::Use`] prints; no tree may name it.
pub(crate) const USE_NAME: &str = "mestra_use";

/// What a declaration starts a variable with.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Init {
    /// `= expr`.
    Value(Expr),
    /// `{ … }` for an array or struct; what is not listed is zero.
    List(Vec<Init>),
    /// No values, but a length that is computed: it is undefined if that is another than
    /// the type says.
    Room {
        /// The number of elements.
        length: Expr,
        /// Where they are.
        room: Room,
    },
}

/// Where an array is whose length is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Room {
    /// `int a[n]`.
    Stack,
    /// `int *a = malloc(n * sizeof(int))`, until the end of its block. The tree must name no
    /// more than its elements and the address of the first, and no jump may leave the block.
    Heap,
}

/// What a declaration says besides name and type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Specifiers {
    /// `static`: it lives as long as the program and starts with a constant.
    #[serde(skip_serializing_if = "is_false")]
    pub is_static: bool,
    /// `const`: it keeps the value it starts with.
    #[serde(skip_serializing_if = "is_false")]
    pub constant: bool,
    /// `volatile`: every access is made, as often as it is written.
    #[serde(skip_serializing_if = "is_false")]
    pub volatile: bool,
    /// Attributes of gcc and clang.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<Attribute>,
}

impl Specifiers {
    /// Whether there is nothing to say.
    pub fn is_plain(&self) -> bool {
        *self == Specifiers::default()
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// An attribute of gcc, most of which clang knows too. It is up to who writes a
/// tree that it is true of what it is put on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attribute {
    /// The function is called, never copied into its caller.
    Noinline,
    /// The function is copied into its callers.
    AlwaysInline,
    /// Calls in the function are copied into it where possible.
    Flatten,
    /// The function is rarely called.
    Cold,
    /// The function is often called.
    Hot,
    /// The function only reads, and its result depends on nothing but its
    /// arguments and globals.
    Pure,
    /// The function's result depends on nothing but its arguments.
    Const,
    /// Nothing that is known of the function is used in its callers; gcc only.
    Noipa,
    /// The function has no copies for certain arguments; gcc only.
    Noclone,
    /// No warning if it is not used.
    Unused,
    /// It stays, even if it is not used.
    Used,
    /// The address is a multiple of this power of two.
    Aligned(u32),
}

/// A declaration of one variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Declaration {
    /// The variable, in scope until the end of its block.
    pub var: Var,
    /// Storage, qualifiers and attributes.
    #[serde(default, skip_serializing_if = "Specifiers::is_plain")]
    pub specifiers: Specifiers,
    /// The initialiser; without one the variable has no value yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub init: Option<Init>,
}

/// A statement. Labels and `case` stand before the statements they mark, as
/// list items of their own; they print with an empty statement, so that a
/// declaration or a closing brace may follow.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stmt {
    /// `;`.
    Empty,
    /// `{ … }`, a scope of its own.
    Block(Vec<Stmt>),
    /// A declaration in a block; C89 wants it before all statements.
    Declare(Declaration),
    /// An expression, evaluated for its effects.
    Expr(Expr),
    /// `if (condition) yes else no`.
    If {
        /// The condition.
        condition: Expr,
        /// What runs if it holds.
        yes: Arc<Stmt>,
        /// What runs if it does not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        no: Option<Arc<Stmt>>,
    },
    /// `while (condition) body`.
    While {
        /// Evaluated before each turn.
        condition: Expr,
        /// What runs while it holds.
        body: Arc<Stmt>,
    },
    /// `do body while (condition);`.
    Do {
        /// What runs at least once.
        body: Arc<Stmt>,
        /// Evaluated after each turn.
        condition: Expr,
    },
    /// Never with a declaration in it: C89 has none.
    For {
        /// Evaluated once, before the first turn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start: Option<Expr>,
        /// Evaluated before each turn; without one the loop has no end of its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        condition: Option<Expr>,
        /// Evaluated after each turn, and by `continue`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<Expr>,
        /// What runs in each turn.
        body: Arc<Stmt>,
    },
    /// `switch (value) body`.
    Switch {
        /// An integer.
        value: Expr,
        /// A block with the cases in it.
        body: Arc<Stmt>,
    },
    /// `case value:`.
    Case(Value),
    /// `default:`.
    Default,
    /// `break;`.
    Break,
    /// `continue;`.
    Continue,
    /// `goto label;`.
    Goto(Arc<str>),
    /// `label:`.
    Label(Arc<str>),
    /// `return;`, or with a value.
    Return(Option<Expr>),
    /// Ends the program at once, by a signal.
    Abort,
    /// Makes the value, converted to `ty`, something the compiler must compute:
    /// it goes through a volatile local, which no compiler may remove, prints
    /// nothing and needs no library.
    Use {
        /// The type of the volatile local.
        #[serde(rename = "type")]
        ty: Type,
        /// What is assigned to it.
        value: Expr,
    },
}

/// A function whose body we know.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Function {
    /// The name that calls use.
    pub name: Arc<str>,
    /// The result type.
    pub result: Type,
    /// The parameters in order.
    pub params: Vec<Var>,
    /// The body: a block.
    pub body: Arc<Stmt>,
}

/// A child of a statement.
#[derive(Clone, Copy, Debug)]
pub enum Part<'t> {
    /// A statement inside a statement.
    Stmt(&'t Stmt),
    /// An expression inside a statement.
    Expr(&'t Expr),
}

impl Stmt {
    /// A declaration, perhaps with a value to start with.
    pub fn declare(name: &str, ty: impl Into<Type>, init: Option<Expr>) -> Stmt {
        let var = Var {
            name: name.into(),
            ty: ty.into(),
        };
        Stmt::Declare(Declaration {
            var,
            specifiers: Specifiers::default(),
            init: init.map(Init::Value),
        })
    }

    /// `if` without `else`.
    pub fn if_then(condition: Expr, yes: Stmt) -> Stmt {
        Stmt::If {
            condition,
            yes: Arc::new(yes),
            no: None,
        }
    }

    /// `if` with `else`.
    pub fn if_else(condition: Expr, yes: Stmt, no: Stmt) -> Stmt {
        Stmt::If {
            condition,
            yes: Arc::new(yes),
            no: Some(Arc::new(no)),
        }
    }

    /// `while (condition) body`.
    pub fn while_loop(condition: Expr, body: Stmt) -> Stmt {
        Stmt::While {
            condition,
            body: Arc::new(body),
        }
    }

    /// `do body while (condition);`.
    pub fn do_loop(body: Stmt, condition: Expr) -> Stmt {
        Stmt::Do {
            body: Arc::new(body),
            condition,
        }
    }

    /// `for (start; condition; step) body`.
    pub fn for_loop(start: Expr, condition: Expr, step: Expr, body: Stmt) -> Stmt {
        Stmt::For {
            start: Some(start),
            condition: Some(condition),
            step: Some(step),
            body: Arc::new(body),
        }
    }

    /// `for (counter = 0; counter < turns; counter++) body`.
    pub(crate) fn counted(counter: Expr, turns: i32, body: Stmt) -> Stmt {
        Stmt::for_loop(
            Expr::assign(counter.clone(), Expr::int(0)),
            Expr::binary(BinaryOp::Lt, counter.clone(), Expr::int(turns)),
            Expr::step(StepOp::PostIncrement, counter),
            body,
        )
    }

    /// `switch (value) body`.
    pub fn switch(value: Expr, body: Stmt) -> Stmt {
        Stmt::Switch {
            value,
            body: Arc::new(body),
        }
    }

    /// A use that keeps the compiler from dropping the value.
    pub fn use_value(ty: impl Into<Type>, value: Expr) -> Stmt {
        Stmt::Use {
            ty: ty.into(),
            value,
        }
    }

    /// The statements and expressions directly inside, in the order they are
    /// written. Paths count them from 0.
    pub fn parts(&self) -> Vec<Part<'_>> {
        match self {
            Stmt::Empty
            | Stmt::Case(_)
            | Stmt::Default
            | Stmt::Break
            | Stmt::Continue
            | Stmt::Goto(_)
            | Stmt::Label(_)
            | Stmt::Abort => vec![],
            Stmt::Block(items) => items.iter().map(Part::Stmt).collect(),
            Stmt::Declare(declaration) => {
                let mut exprs = Vec::new();
                if let Some(init) = &declaration.init {
                    init.for_each_expr(&mut |expr| exprs.push(expr));
                }
                exprs.into_iter().map(Part::Expr).collect()
            }
            Stmt::Expr(expr) | Stmt::Use { value: expr, .. } => vec![Part::Expr(expr)],
            Stmt::Return(value) => value.iter().map(Part::Expr).collect(),
            Stmt::If { condition, yes, no } => {
                let mut parts = vec![Part::Expr(condition), Part::Stmt(yes)];
                parts.extend(no.iter().map(|no| Part::Stmt(no)));
                parts
            }
            Stmt::While { condition, body } => vec![Part::Expr(condition), Part::Stmt(body)],
            Stmt::Do { body, condition } => vec![Part::Stmt(body), Part::Expr(condition)],
            Stmt::For {
                start,
                condition,
                step,
                body,
            } => {
                let mut parts: Vec<Part<'_>> = [start, condition, step]
                    .into_iter()
                    .flatten()
                    .map(Part::Expr)
                    .collect();
                parts.push(Part::Stmt(body));
                parts
            }
            Stmt::Switch { value, body } => vec![Part::Expr(value), Part::Stmt(body)],
        }
    }

    /// The number of nodes, expressions included.
    pub fn size(&self) -> usize {
        let inside = |part| match part {
            Part::Stmt(stmt) => Stmt::size(stmt),
            Part::Expr(expr) => expr.size(),
        };
        1 + self.parts().into_iter().map(inside).sum::<usize>()
    }

    /// The node a path leads to.
    pub fn at(&self, path: &[u32]) -> Option<Part<'_>> {
        let [first, rest @ ..] = path else {
            return Some(Part::Stmt(self));
        };
        match *self.parts().get(*first as usize)? {
            Part::Stmt(stmt) => stmt.at(rest),
            Part::Expr(expr) => expr.at(rest).map(Part::Expr),
        }
    }
}

impl Init {
    /// Calls `see` for every expression in it, in the order they are written.
    pub(crate) fn for_each_expr<'i>(&'i self, see: &mut impl FnMut(&'i Expr)) {
        match self {
            Init::Value(expr) => see(expr),
            Init::List(items) => items.iter().for_each(|item| item.for_each_expr(see)),
            Init::Room { length, .. } => see(length),
        }
    }
}

impl Function {
    /// What a call of it names.
    pub fn callee(&self) -> Callee {
        Callee {
            name: self.name.clone(),
            result: self.result.clone(),
            params: self.params.iter().map(|param| param.ty.clone()).collect(),
        }
    }
}
