//! The `mestra` command; everything it does is in the library.

use mestra::cli::exit_code::ExitCode;
use std::process;

fn main() -> process::ExitCode {
    // A panic is our bug, whatever thread it is in; the message is already out.
    let code = std::panic::catch_unwind(|| mestra::cli::run(std::env::args_os()));
    code.unwrap_or(ExitCode::OurBug).into()
}
