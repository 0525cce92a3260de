//! Typed C trees that Mestra synthesises: their types and values, how they
//! print, what they compute and where they would be undefined.
//!
//! This folder knows nothing of clang, files or compilers and can be used on
//! its own. `source/program/` uses its scalar types, so that a variable of the
//! seed and a tree over it agree on what the variable is.
//!
//! ```
//! use mestra::code::ctype::{Type, Types};
//! use mestra::code::eval::Evaluator;
//! use mestra::code::expr::Expr;
//! use mestra::code::op::BinaryOp;
//! use mestra::code::range::{Range, Ranges};
//! use mestra::code::stmt::Stmt;
//! use mestra::code::table::{State, Table};
//! use mestra::code::types::{IntKind, Target};
//!
//! // What a point was seen with: two rows of `x` and `y`.
//! let types = Types::new(Target::LP64);
//! let mut rows = Table::new(2);
//! rows.add_values("x", IntKind::Int, vec![3, -7]);
//! rows.add_values("y", IntKind::UChar, vec![200, 0]);
//!
//! // An expression over all rows at once: its values, or the first trouble.
//! let evaluator = Evaluator::new(&types);
//! let (x, y) = (Expr::var("x", IntKind::Int), Expr::var("y", IntKind::UChar));
//! let sum = Expr::binary(BinaryOp::Add, x.clone(), y.clone());
//! assert_eq!(evaluator.value(&sum, &rows).unwrap().values, [203, -7]);
//! let quotient = Expr::binary(BinaryOp::Div, x.clone(), y.clone());
//! let stop = evaluator.value(&quotient, &rows).unwrap_err();
//! assert_eq!(stop.to_string(), "division by zero in row 1 at []");
//!
//! // A statement: the rows afterwards, and how each row left it.
//! let guarded = Stmt::if_then(y, Stmt::Expr(Expr::assign(x, quotient)));
//! let outcome = evaluator.run(&guarded, &rows).unwrap();
//! assert!(outcome.ends());
//! let object = outcome.table.find("x").unwrap();
//! assert_eq!(outcome.table.object(object).get(0, 0), Ok(0));
//! assert_eq!(guarded.to_string(), "if (y) {\n    x = x / y;\n}\n");
//!
//! // Where only ranges are known.
//! let mut ranges = Ranges::new();
//! let object = ranges.add(&types, "x", Type::INT, State::Unknown).unwrap();
//! ranges.set(object, 0, Range::between(-5, 5));
//! let positive = Expr::binary(BinaryOp::Gt, Expr::var("x", IntKind::Int), Expr::int(-6));
//! let (_, range) = evaluator.range(&positive, &ranges).unwrap();
//! assert_eq!(range.only(), Some(1));
//! ```

#![warn(missing_docs)]

pub mod builtin;
pub mod ctype;
pub mod eval;
pub mod expr;
pub(crate) mod functions;
mod interp;
pub(crate) mod layout;
pub mod op;
mod plan;
pub mod print;
pub mod range;
pub mod real;
mod rename;
mod rows;
pub mod scalar;
pub mod session;
pub mod stmt;
pub mod table;
pub mod trouble;
pub mod types;
pub mod unit;
pub mod value;
mod vector;
pub mod wide;
