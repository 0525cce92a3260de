//! An end for all that a lab does: what is still running then is ended, and says nothing.
//!
//! Between two runs everybody can see that time is up. But on a busy machine one run may take
//! minutes, so whoever has promised an end cannot wait for it.

use super::executor::Executor;
use super::process::{Command, Output};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// When work has to end, while it is in force. A clone is the same deadline.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deadline {
    end: Arc<Mutex<Option<Instant>>>,
}

/// Another executor, up to a deadline.
#[derive(Debug)]
pub(super) struct Hurried {
    pub(super) executor: Arc<dyn Executor>,
    pub(super) deadline: Deadline,
}

impl Deadline {
    /// Works with the deadline in force.
    pub(crate) fn hold<T>(&self, end: Instant, work: impl FnOnce() -> T) -> T {
        self.set(Some(end));
        let done = work();
        self.set(None);
        done
    }

    fn set(&self, end: Option<Instant>) {
        *self.end.lock().unwrap_or_else(PoisonError::into_inner) = end;
    }

    fn end(&self) -> Option<Instant> {
        *self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Executor for Hurried {
    fn run(&self, command: &Command) -> io::Result<Output> {
        match self.deadline.end() {
            None => self.executor.run(command),
            Some(end) => self.executor.run(&command.clone().until(end)),
        }
    }

    fn is_late(&self) -> bool {
        let end = self.deadline.end();
        end.is_some_and(|end| Instant::now() >= end) || self.executor.is_late()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::process::Ending;
    use crate::lab::{Host, Lab};
    use std::time::Duration;

    #[test]
    fn what_runs_at_the_deadline_is_ended_and_nothing_else_is() {
        let deadline = Deadline::default();
        let lab = Lab::new(Arc::new(Host)).with_deadline(&deadline);
        let sleep = |seconds: &str| {
            let sleep = Command::new("sleep").arg(seconds);
            lab.run_tool(&sleep).unwrap().ending
        };
        let began = Instant::now();
        let ending = deadline.hold(began + Duration::from_millis(300), || {
            assert!(!lab.is_late());
            let ending = sleep("50");
            assert!(lab.is_late());
            ending
        });
        assert_eq!(ending, Ending::Starved);
        assert!(began.elapsed() < Duration::from_secs(40));
        // It is not in force any more.
        assert!(!lab.is_late());
        assert_eq!(sleep("0.4"), Ending::Exited(0));
    }
}
