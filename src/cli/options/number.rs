//! Numbers and times as typed, within bounds.

use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

pub(super) fn probability(text: &str) -> Result<f64, String> {
    number(text, 0.0..=1.0, "expected a probability between 0 and 1")
}

pub(super) fn not_negative(text: &str) -> Result<f64, String> {
    number(text, 0.0..=1e6, "expected a number from 0 to 1000000")
}

pub(super) fn at_most_100(text: &str) -> Result<usize, String> {
    number(text, 1..=100, "expected a number from 1 to 100")
}

pub(super) fn at_least_one(text: &str) -> Result<usize, String> {
    number(text, 1..=1_000_000, "expected a number of at least 1")
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let least = f64::MIN_POSITIVE;
    let what = "expected a number of seconds above 0, at most a day";
    number(text, least..=86_400.0, what)
}

/// A number within bounds, or what was expected.
fn number<T>(text: &str, bounds: RangeInclusive<T>, what: &str) -> Result<T, String>
where
    T: FromStr + PartialOrd,
{
    let number = text.parse().ok().filter(|number| bounds.contains(number));
    number.ok_or_else(|| what.to_owned())
}

/// A time such as `90s` or `10m`; without a unit, in seconds.
pub(super) fn time(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(char::is_alphabetic);
    let seconds = match &text[digits.len()..] {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        _ => 0,
    };
    match digits.parse::<u64>() {
        Ok(count @ 1..=1_000_000) if seconds > 0 => Ok(Duration::from_secs(count * seconds)),
        _ => Err("expected a time such as 90s, 10m or 8h".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_typed() {
        for (text, seconds) in [("90", 90), ("90s", 90), ("10m", 600), ("8h", 28_800)] {
            assert_eq!(time(text), Ok(Duration::from_secs(seconds)));
        }
        for wrong in ["", "m", "0s", "5x", "-1h", "1.5h"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }
}
