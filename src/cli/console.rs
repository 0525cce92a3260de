//! A progress bar on a terminal, lines elsewhere.

use crate::lab::interrupt;
use crate::lab::printable::printable;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The bar that is drawn now, for those who know of none.
static DRAWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Progress over a number of things. Usable from many threads.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    pub(crate) fn new(total: usize) -> Progress {
        let template = "{wide_bar} {pos}/{len} {eta}";
        Progress::with_template(Some(total as u64), "", template, None)
    }

    /// Progress of a phase over things of a kind, with a line of text below: how far it is,
    /// how long it has taken, and how long it may go on. How many things there are, and
    /// until when, may be unknown.
    pub(crate) fn of_phase(
        phase: &str,
        things: &str,
        total: Option<u64>,
        limit: Option<Duration>,
    ) -> Progress {
        let count = match total {
            Some(_) => "{wide_bar} {pos}/{len}",
            None => "{spinner} {pos}",
        };
        let template = format!("{{phase}}: {count} {things}, {{elapsed}}{{left}}\n{{wide_msg}}");
        Progress::with_template(total, phase, &template, limit)
    }

    fn with_template(
        total: Option<u64>,
        phase: &str,
        template: &str,
        limit: Option<Duration>,
    ) -> Progress {
        let phase = phase.to_owned();
        let bar = io::stderr().is_terminal().then(|| {
            let target = ProgressDrawTarget::stderr_with_hz(10);
            let bar = ProgressBar::with_draw_target(total, target);
            let style = ProgressStyle::with_template(template);
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            let left = move |state: &ProgressState, out: &mut dyn fmt::Write| {
                let is_stopping = interrupt::is_requested();
                let left = time_left(limit.filter(|_| !is_stopping), state.elapsed());
                let _ = left.map_or(Ok(()), |left| write!(out, ", {left}"));
            };
            let phase = move |_: &ProgressState, out: &mut dyn fmt::Write| {
                let _ = out.write_str(phase_now(&phase, interrupt::is_requested()));
            };
            bar.set_style(style.with_key("left", left).with_key("phase", phase));
            // Time passes also when nothing happens.
            bar.enable_steady_tick(Duration::from_secs(1));
            *drawn() = Some(bar.clone());
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
        unless_unread(self.apart(|| writeln!(io::stdout().lock(), "{text}")))
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
            *drawn() = None;
        }
    }

    fn apart<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

/// Says something to the user that stays on the screen, whoever draws there.
pub(crate) fn say(text: &str) {
    let bar = drawn().clone();
    Progress { bar }.complain(text);
}

fn drawn() -> std::sync::MutexGuard<'static, Option<ProgressBar>> {
    DRAWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a long command is at: once it was asked to stop, it only finishes what it has begun.
fn phase_now(phase: &str, is_stopping: bool) -> &str {
    if is_stopping { "stopping" } else { phase }
}

/// How long a command may go on that has a limit.
pub(crate) fn time_left(limit: Option<Duration>, elapsed: Duration) -> Option<String> {
    let left = limit?.saturating_sub(elapsed);
    Some(format!("{} left", clock(left)))
}

/// Hours, minutes and seconds.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours}:{minutes:02}:{:02}", seconds % 60)
}

/// The outcome of writing to standard output, which fails if whoever read it has gone: that is
/// no reason to end work whose results are in files.
pub(crate) fn unless_unread(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_was_asked_to_stop_says_so() {
        assert_eq!(phase_now("hunting", false), "hunting");
        assert_eq!(phase_now("hunting", true), "stopping");
        let minute = Duration::from_secs(60);
        assert_eq!(time_left(None, minute), None);
        assert_eq!(time_left(Some(2 * minute), minute).unwrap(), "0:01:00 left");
    }
}
