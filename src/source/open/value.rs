//! The sorts of values that C and compilers leave open.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A construct whose value is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpenValue {
    /// What optimisers happen to know: `__builtin_constant_p`, `__builtin_object_size`.
    CompilerKnowledge,
    /// `_FORTIFY_SOURCE` and the checking functions behind it.
    Fortification,
    /// `__OPTIMIZE__`, `__FMA__`, `__VERSION__`: macros that flags and compilers change.
    Macro,
    /// `__PRETTY_FUNCTION__`, which assertions print too: gcc says `f`, clang `int f(int)`.
    FunctionName,
    /// `__attribute__((aligned))`, which means as much as a compiler and its flags say.
    Alignment,
    /// How the objects of a section lie, from `__start_NAME` to `__stop_NAME`: in which order, and
    /// with how much between them.
    Section,
    /// A variable that one operand changes and another reads.
    Sequence,
    /// The exit status where `main` ends without `return`, before C99.
    ExitStatus,
    /// Where a number ends: strict C90 takes `0x1p+f` for two tokens and a name between, and only
    /// gcc does.
    NumberEnd,
    /// The result of `memcmp` and `strcmp` beyond its sign.
    ComparisonResult,
    /// The last digits of `sin` and its like.
    Libm,
    /// `errno` after a call that a compiler may leave out.
    Errno,
    /// Where objects lie.
    Address,
    /// Time, processor time, process numbers.
    Clock,
    /// `rand`, which each C library computes in its own way.
    Random,
    /// The sign and the payload of a NaN.
    Nan,
    /// How results are rounded: how often, and in which order they are computed.
    Rounding,
    /// What a signal handler does to variables that are not volatile.
    Signal,
    /// What a variable holds that was changed between `setjmp` and `longjmp`.
    Jump,
    /// Rounding modes and exceptions, which compilers do not look at when they fold.
    FloatEnvironment,
    /// When other threads write what this one reads.
    Thread,
    /// Whether two string literals are one object.
    Literal,
    /// What `__attribute__((const))` and other promises to compilers hide, if not kept.
    Promise,
    /// A library function that the program defines in its own way.
    Redefinition,
    /// What inline assembly does, which only its operands tell.
    Assembly,
    /// Bytes of an object that belong to no member, or to none that is initialised.
    Padding,
    /// Where a wide vector is passed or returned.
    VectorPassing,
    /// What a program does where it forbids sanitizers to look.
    Unsanitized,
    /// What a function returns that is called without a declaration: a compiler that knows it
    /// as one of the library knows its type, others take `int`.
    Undeclared,
}

impl fmt::Display for OpenValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OpenValue::CompilerKnowledge => "what the optimiser knows of a value",
            OpenValue::Fortification => "checks that _FORTIFY_SOURCE adds at some levels",
            OpenValue::Macro => "a macro that flags or compilers change",
            OpenValue::FunctionName => "how a compiler writes the name of a function",
            OpenValue::Alignment => "the greatest alignment, which compilers choose",
            OpenValue::Section => "how the objects of a section lie",
            OpenValue::Sequence => "a variable that one operand changes and another reads",
            OpenValue::ExitStatus => "the exit status of a main without return, before C99",
            OpenValue::NumberEnd => "where a number with a binary exponent ends in strict C90",
            OpenValue::ComparisonResult => "the result of a comparison function beyond its sign",
            OpenValue::Libm => "the last digits of a mathematical function",
            OpenValue::Errno => "errno after a call that may be left out",
            OpenValue::Address => "where an object lies",
            OpenValue::Clock => "the time or a process number",
            OpenValue::Random => "the C library's random numbers",
            OpenValue::Nan => "the sign or payload of a NaN",
            OpenValue::Signal => "what a signal handler does to a variable",
            OpenValue::Rounding => "how a floating-point result is rounded",
            OpenValue::Jump => "a variable that changes between setjmp and longjmp",
            OpenValue::FloatEnvironment => "the rounding mode or floating-point exceptions",
            OpenValue::Thread => "what other threads do meanwhile",
            OpenValue::Literal => "whether two string literals are one",
            OpenValue::Promise => "a promise to compilers that it may break",
            OpenValue::Assembly => "what inline assembly does or leaves behind",
            OpenValue::Padding => {
                "bytes of an object that belong to no member, or to none that is initialised"
            }
            OpenValue::VectorPassing => "how compilers pass wide vectors to each other",
            OpenValue::Unsanitized => "what it hides from sanitizers",
            OpenValue::Undeclared => "the type of a function that it does not declare",
            OpenValue::Redefinition => "a library function that it defines itself",
        })
    }
}
