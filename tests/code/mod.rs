//! Tests of `code/`: against real compilers, against a sanitizer, against an
//! independent parser, and of every rule by hand.

mod build;
mod bytes;
mod floats;
mod generate;
mod json;
mod pointers;
mod print;
mod programs;
mod rules;
mod sanitizer;
mod scene;
mod session;
mod shape;
mod statements;
mod values;
mod vectors;
mod wide;
mod world;
