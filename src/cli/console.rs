//! A progress bar on a terminal, lines elsewhere.

use crate::lab::printable::printable;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};

/// Progress over a number of things. Usable from many threads.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    pub(crate) fn new(total: usize) -> Progress {
        Progress::with_template(Some(total as u64), "{wide_bar} {pos}/{len} {eta}")
    }

    /// Progress with a line of text below the bar, over a number that may be unknown.
    pub(crate) fn with_message(total: Option<u64>) -> Progress {
        let template = match total {
            Some(_) => "{wide_bar} {pos}/{len} {eta}\n{wide_msg}",
            None => "{spinner} {pos} seeds in {elapsed}\n{wide_msg}",
        };
        Progress::with_template(total, template)
    }

    fn with_template(total: Option<u64>, template: &str) -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let target = ProgressDrawTarget::stderr_with_hz(10);
            let bar = ProgressBar::with_draw_target(total, target);
            let style = ProgressStyle::with_template(template);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Progress { bar }
    }

    /// Whether the bar is drawn.
    pub(crate) fn is_drawn(&self) -> bool {
        self.bar.is_some()
    }

    /// Changes the text below the bar.
    pub(crate) fn message(&self, text: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(printable(text).into_owned());
        }
    }

    /// Prints a line for people to standard output, above the bar if there is one.
    pub(crate) fn line(&self, text: &str) -> io::Result<()> {
        self.data(&printable(text))
    }

    /// Prints a line for programs to standard output, above the bar if there is one.
    pub(crate) fn data(&self, text: &str) -> io::Result<()> {
        self.apart(|| writeln!(io::stdout().lock(), "{text}"))
    }

    /// Prints a complaint to standard error, above the bar if there is one.
    pub(crate) fn complain(&self, text: &str) {
        // If that fails, there is no other way to report it.
        let _ = self.apart(|| writeln!(io::stderr().lock(), "mestra: {}", printable(text)));
    }

    pub(crate) fn advance(&self) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    pub(crate) fn finish(&self) {
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
