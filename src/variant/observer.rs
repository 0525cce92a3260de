//! Who is told what long work does: a progress bar, lines of JSON, a test. The work
//! knows only this trait, so that it can be shown in any way.

use anyhow::Result;
use std::fmt;

/// Whoever is told of events, from many threads.
pub trait Observer<E>: fmt::Debug + Sync {
    /// # Errors
    /// If it cannot be passed on; the work that is observed fails with it.
    fn observe(&self, event: &E) -> Result<()>;
}

/// Whoever does not care.
#[derive(Clone, Copy, Debug, Default)]
// Used by tests only.
pub struct Unobserved;

impl<E> Observer<E> for Unobserved {
    fn observe(&self, _: &E) -> Result<()> {
        Ok(())
    }
}
