//! What a long command says while it works: a bar on a terminal, lines elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};

/// Progress over a known number of things. Usable from many threads.
#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    pub fn new(total: usize) -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(
                Some(total as u64),
                ProgressDrawTarget::stderr_with_hz(10),
            );
            let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Progress { bar }
    }

    /// Prints a line to standard output, above the bar if there is one.
    pub fn line(&self, text: &str) -> io::Result<()> {
        self.apart(|| writeln!(io::stdout().lock(), "{text}"))
    }

    /// Prints a complaint to standard error, above the bar if there is one.
    pub fn complain(&self, text: &str) {
        // There is nobody left to tell if that fails.
        let _ = self.apart(|| writeln!(io::stderr().lock(), "mestra: {text}"));
    }

    pub fn advance(&self) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn apart<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}
