//! How long a config usually takes, which tells when it hangs.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How many of the latest times count.
const WINDOW: usize = 101;

/// A compiler hangs if it takes this many times its median.
const TIMES: u32 = 20;

/// The latest times of one config.
#[derive(Debug, Default)]
pub(super) struct Pace(Mutex<Latest>);

#[derive(Debug, Default)]
struct Latest {
    times: Vec<Duration>,
    next: usize,
}

impl Pace {
    pub(super) fn add(&self, time: Duration) {
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if latest.times.len() < WINDOW {
            latest.times.push(time);
        } else {
            let next = latest.next;
            latest.times[next] = time;
            latest.next = (next + 1) % WINDOW;
        }
    }

    /// How long to wait: the limit in the settings, or longer for a slow compiler.
    pub(super) fn limit(&self, said: Duration) -> Duration {
        let latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut times = latest.times.clone();
        times.sort_unstable();
        let median = times.get(times.len() / 2).copied().unwrap_or_default();
        said.max(median * TIMES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_compiler_gets_more_time() {
        let pace = Pace::default();
        let minute = Duration::from_secs(60);
        assert_eq!(pace.limit(minute), minute);
        for seconds in [1, 4, 9] {
            pace.add(Duration::from_secs(seconds));
        }
        assert_eq!(pace.limit(minute), Duration::from_secs(80));
        for _ in 0..2 * WINDOW {
            pace.add(Duration::from_secs(1));
        }
        assert_eq!(pace.limit(minute), minute);
    }
}
