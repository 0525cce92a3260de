//! Events as JSON, one object a line: each has the name of the event, the time, and the
//! version of the format.

use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// Changes when the meaning of a key does; new events and keys do not change it.
pub(crate) const VERSION: u32 = 1;

/// The line for an event with its data, an object.
pub(super) fn line(event: &str, mut data: Value) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = now.map_or(0.0, |since| since.as_millis() as f64 / 1000.0);
    if let Value::Object(data) = &mut data {
        data.insert("event".into(), json!(event));
        data.insert("time".into(), json!(seconds));
        data.insert("version".into(), json!(VERSION));
    }
    data.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_says_what_it_is() {
        let line: Value = serde_json::from_str(&line("seed", json!({"number": 3}))).unwrap();
        assert_eq!(line["event"], "seed");
        assert_eq!(line["version"], VERSION);
        assert_eq!(line["number"], 3);
        assert!(line["time"].as_f64().unwrap() > 1.7e9);
    }
}
