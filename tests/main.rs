//! The one integration binary; a module per subject.

mod bad_input;
mod campaign;
mod code;
mod dead;
mod docs;
mod dump;
mod enumerate;
mod front_end;
mod fuzz;
mod generate;
mod hermes;
mod hostile;
mod house;
mod interrupt;
mod lab;
mod missed;
mod mutations;
mod profile;
mod reduce;
mod suite;
mod support;
mod sweep;
mod verify;
