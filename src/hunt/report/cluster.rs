//! The parts of a campaign that many machines work on, as the page shows them.

use super::{date, escaped};
use crate::lab::words::plural;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::SystemTime;

/// More missing shards than this are only counted.
const MOST_MISSING: usize = 8;

/// All parts of a campaign.
#[derive(Clone, Debug)]
pub(crate) struct ClusterView {
    pub(crate) parts: Vec<ShownPart>,
    /// The shards of which there is no part.
    pub(crate) missing: Vec<String>,
}

/// A part, and how far it has come.
#[derive(Clone, Debug)]
pub(crate) struct ShownPart {
    pub(crate) name: String,
    pub(crate) shard: Option<String>,
    pub(crate) state: &'static str,
    /// Why it is not counted, or not as it is now.
    pub(crate) trouble: Option<String>,
    pub(crate) changed: Option<SystemTime>,
    pub(crate) seeds: u64,
    pub(crate) variants: u64,
    pub(crate) findings: u64,
}

/// `8 parts: 1 cannot be read, 7 running; shard 3/9 is missing`.
pub(super) fn summary(view: &ClusterView) -> String {
    let mut states: BTreeMap<&str, u64> = BTreeMap::new();
    for part in &view.parts {
        let trouble = part.trouble.as_ref().map(|_| "cannot be read");
        *states.entry(trouble.unwrap_or(part.state)).or_default() += 1;
    }
    let states: Vec<String> = states
        .into_iter()
        .map(|(state, parts)| format!("{parts} {state}"))
        .collect();
    let mut text = format!(
        "{}: {}",
        plural(view.parts.len(), "part"),
        states.join(", ")
    );
    match view.missing.len() {
        0 => {}
        1 => {
            let _ = write!(text, "; shard {} is missing", view.missing[0]);
        }
        many if many <= MOST_MISSING => {
            let _ = write!(text, "; shards {} are missing", view.missing.join(", "));
        }
        many => {
            let _ = write!(text, "; {many} shards are missing");
        }
    }
    escaped(&text)
}

/// A table with a row for each part.
pub(super) fn table(html: &mut String, view: &ClusterView) {
    html.push_str(
        "<section id=\"parts\"><h2>Parts</h2><div class=\"wide\"><table><thead><tr><th>part</th>\
         <th>shard</th><th>state</th><th>last change</th><th class=\"number\">seeds</th>\
         <th class=\"number\">variants</th><th class=\"number\">findings</th></tr></thead><tbody>",
    );
    for part in &view.parts {
        let _ = write!(
            html,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td>",
            escaped(&part.name),
            escaped(part.shard.as_deref().unwrap_or("–")),
            part.trouble.as_ref().map_or_else(
                || part.state.to_owned(),
                |trouble| format!("cannot be read: {}", escaped(trouble))
            ),
            part.changed.map_or_else(|| "–".to_owned(), date::of),
        );
        for count in [part.seeds, part.variants, part.findings] {
            let _ = write!(html, "<td class=\"number\">{count}</td>");
        }
        html.push_str("</tr>");
    }
    html.push_str("</tbody></table></div></section>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(state: &'static str, trouble: Option<&str>) -> ShownPart {
        ShownPart {
            name: "1".into(),
            shard: Some("1/4".into()),
            state,
            trouble: trouble.map(str::to_owned),
            changed: None,
            seeds: 3,
            variants: 20,
            findings: 1,
        }
    }

    #[test]
    fn parts_are_counted_by_what_they_do_and_missing_ones_are_named() {
        let mut view = ClusterView {
            parts: vec![part("running", None), part("running", Some("<no>"))],
            missing: vec!["3/4".into()],
        };
        assert_eq!(
            summary(&view),
            "2 parts: 1 cannot be read, 1 running; shard 3/4 is missing"
        );
        view.missing.push("4/4".into());
        view.parts.truncate(1);
        assert_eq!(
            summary(&view),
            "1 part: 1 running; shards 3/4, 4/4 are missing"
        );
        view.missing = (2..40).map(|part| format!("{part}/40")).collect();
        assert_eq!(summary(&view), "1 part: 1 running; 38 shards are missing");
        let mut html = String::new();
        view.parts.push(part("a copy", Some("<no>")));
        table(&mut html, &view);
        assert!(html.contains("cannot be read: &lt;no&gt;"), "{html}");
    }
}
