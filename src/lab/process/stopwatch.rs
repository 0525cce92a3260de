//! When a child has had its time.
//!
//! On a busy machine the clock says little: a compiler that needs a second may take half a
//! minute. So time is CPU time of the child and all that it started, or time on the clock
//! if all of them sleep: what waits for nothing never ends either. Before its time has
//! passed on the clock nobody needs to look.

use super::descendants::Descendants;
use super::{Ending, Limits};
use std::time::{Duration, Instant};

/// How often a child that is overdue is looked at.
const INTERVAL: Duration = Duration::from_millis(100);

/// How many looks in a row must find a child asleep.
const LOOKS: u32 = 3;

/// Says when a child is to be ended.
pub(super) struct Stopwatch {
    start: Instant,
    time: Duration,
    next_look: Instant,
    /// When it is ended whatever it does.
    last: Instant,
    is_by_clock: bool,
    /// What it had used when it was seen last.
    used: Duration,
    asleep: u32,
}

impl Stopwatch {
    pub(super) fn new(start: Instant, limits: &Limits) -> Stopwatch {
        let last = start + limits.wall.saturating_mul(limits.stretch);
        let last = limits.end.map_or(last, |end| last.min(end));
        Stopwatch {
            start,
            time: limits.wall,
            next_look: last.min(start + limits.wall),
            last,
            is_by_clock: limits.stretch <= 1,
            used: Duration::ZERO,
            asleep: 0,
        }
    }

    /// How long nobody needs to look.
    pub(super) fn rest(&self, now: Instant) -> Duration {
        self.next_look.saturating_duration_since(now)
    }

    /// How the child has to end now, if it has to.
    pub(super) fn ending(
        &mut self,
        now: Instant,
        look: impl FnOnce() -> Descendants,
    ) -> Option<Ending> {
        if now < self.next_look {
            return None;
        }
        if self.is_by_clock {
            let is_cut_short = self.next_look < self.start + self.time;
            return Some(if is_cut_short {
                Ending::Starved
            } else {
                Ending::TimedOut
            });
        }
        self.next_look = now + INTERVAL;
        let all = look();
        let used = all.cpu();
        // Threads other than the first show only by what they use.
        let is_asleep = all.is_asleep() && used == self.used;
        self.asleep = if is_asleep { self.asleep + 1 } else { 0 };
        self.used = used;
        if used >= self.time || self.asleep >= LOOKS {
            Some(Ending::TimedOut)
        } else {
            (now >= self.last).then_some(Ending::Starved)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// How a child ends, and after how many seconds, if it is in this state and has had
    /// this share of a processor, in percent.
    fn end(stretch: u32, state: char, share: u32) -> (Ending, u64) {
        let start = Instant::now();
        let limits = Limits {
            wall: 10 * SECOND,
            stretch,
            ..Limits::default()
        };
        let mut stopwatch = Stopwatch::new(start, &limits);
        let mut taken = Duration::ZERO;
        loop {
            let ticks = taken.as_millis() as u32 / 10 * share / 100;
            let all = || Descendants::fake(state, ticks);
            if let Some(ending) = stopwatch.ending(start + taken, all) {
                return (ending, taken.as_secs());
            }
            taken += stopwatch.rest(start + taken);
        }
    }

    #[test]
    fn a_child_that_works_has_its_time_whatever_the_clock_says() {
        assert_eq!(end(10, 'R', 100), (Ending::TimedOut, 10));
        assert_eq!(end(10, 'R', 25), (Ending::TimedOut, 40));
        assert_eq!(end(10, 'R', 5), (Ending::Starved, 100));
    }

    #[test]
    fn a_child_that_sleeps_has_time_by_the_clock() {
        assert_eq!(end(10, 'S', 0), (Ending::TimedOut, 10));
        // It has threads that work.
        assert_eq!(end(10, 'S', 50), (Ending::TimedOut, 20));
        // Disks can be busy, too.
        assert_eq!(end(10, 'D', 0), (Ending::Starved, 100));
    }

    #[test]
    fn without_a_stretch_the_clock_decides() {
        assert_eq!(end(1, 'R', 5), (Ending::TimedOut, 10));
    }
}
