//! A bucket on the page: a row that tells it from others, and all that is known below.

use super::escaped;
use super::figures::{ShownBucket, ShownFinding};
use crate::hunt::defects::DefectState;
use crate::hunt::finding::REDUCED;
use crate::lab::words::plural;
use similar::{ChangeTag, TextDiff};
use std::fmt::Write;
use std::path::Path;

pub(super) fn card(html: &mut String, bucket: &ShownBucket) {
    let known = if bucket.is_known { " known" } else { "" };
    let size = bucket.tokens.unwrap_or(999_999);
    let _ = write!(
        html,
        "<details class=\"bucket{known}\" id=\"{name}\" data-verdict=\"{}\" data-family=\"{}\" \
         data-novelty=\"{}\" data-size=\"{size}\" data-count=\"{}\"{}>\
         <summary><span class=\"verdict\">{}</span> <span class=\"title\">{}</span> \
         <code class=\"name\">{name}</code> \
         <a class=\"anchor\" href=\"#{name}\" aria-label=\"link to this bucket\">#</a>{}</summary>\n\
         <p class=\"key\">{}</p>\n",
        escaped(&bucket.verdict),
        escaped(&bucket.family),
        bucket.novelty.name(),
        bucket.findings.len(),
        if bucket.is_known { " hidden" } else { "" },
        escaped(&bucket.verdict),
        escaped(&bucket.title),
        facts(bucket),
        escaped(&bucket.key),
        name = escaped(&bucket.name),
    );
    let heading = match bucket.findings[0].lines {
        Some(lines) => format!("Reduced program, {}", plural(lines, "line")),
        None => "Program".to_owned(),
    };
    part(html, &heading, &bucket.program, true);
    if bucket.expected.is_empty() {
        part(html, "What the compiler did", &bucket.actual, true);
    } else {
        html.push_str("<div class=\"pair\">");
        compared(html, "Expected", &bucket.expected, &bucket.actual);
        compared(html, "Actual", &bucket.actual, &bucket.expected);
        html.push_str("</div>");
    }
    difference(html, &bucket.diff);
    if let Some(report) = &bucket.report {
        part(html, "Bug report (Markdown)", report, false);
    }
    members(html, &bucket.findings);
    html.push_str("</details>\n");
}

/// What tells buckets apart at a glance.
fn facts(bucket: &ShownBucket) -> String {
    let mut facts = vec![("novelty", bucket.novelty.name().to_owned())];
    if bucket.marked.state != DefectState::New {
        facts.push(("state", bucket.marked.to_string()));
    }
    if let Some(tokens) = bucket.tokens {
        facts.push(("size", plural(tokens, "token")));
    }
    facts.push(("count", plural(bucket.findings.len(), "finding")));
    if !bucket.levels.is_empty() {
        facts.push(("levels", bucket.levels.join(", ")));
    }
    if !bucket.kinds.is_empty() {
        facts.push(("kinds", bucket.kinds.join(" + ")));
    }
    let failing = bucket.versions.iter().filter(|(_, fails)| *fails);
    let failing: Vec<&str> = failing.map(|(name, _)| name.as_str()).collect();
    if bucket.versions.len() > 1 {
        facts.push(("versions", format!("fails: {}", failing.join(", "))));
    }
    if let Some(retest) = &bucket.retest {
        facts.push(("retest", retest.clone()));
    }
    let mut html = String::from("<span class=\"facts\">");
    for (class, text) in facts {
        let _ = write!(html, "<span class=\"{class}\">{}</span>", escaped(&text));
    }
    html.push_str("</span>");
    html
}

pub(super) fn part(html: &mut String, heading: &str, text: &str, is_open: bool) {
    let open = if is_open { " open" } else { "" };
    let _ = writeln!(
        html,
        "<details class=\"part\"{open}><summary>{}</summary><pre tabindex=\"0\">{}</pre></details>",
        escaped(heading),
        escaped(text)
    );
}

/// A text with the lines marked that another does not have.
fn compared(html: &mut String, heading: &str, text: &str, other: &str) {
    let _ = write!(
        html,
        "<details class=\"part\" open><summary>{heading}</summary><pre tabindex=\"0\">"
    );
    for change in TextDiff::from_lines(other, text).iter_all_changes() {
        let line = escaped(change.value());
        match change.tag() {
            ChangeTag::Insert => {
                let _ = write!(html, "<mark>{line}</mark>");
            }
            ChangeTag::Equal => html.push_str(&line),
            ChangeTag::Delete => {}
        }
    }
    html.push_str("</pre></details>\n");
}

fn difference(html: &mut String, diff: &str) {
    if diff.is_empty() {
        return;
    }
    html.push_str(
        "<details class=\"part\"><summary>Seed and variant, with the mutations that matter</summary>\
         <pre class=\"diff\" tabindex=\"0\">",
    );
    for line in diff.lines() {
        let class = match line.bytes().next() {
            Some(b'+') => "added",
            Some(b'-') => "gone",
            Some(b'@') => "place",
            _ => "same",
        };
        let _ = writeln!(html, "<span class=\"{class}\">{}</span>", escaped(line));
    }
    html.push_str("</pre></details>\n");
}

fn members(html: &mut String, findings: &[ShownFinding]) {
    html.push_str(
        "<div class=\"wide\"><table><thead><tr><th>finding</th><th>config</th><th>seed</th>\
         <th>signature</th><th class=\"number\">tokens</th><th>files</th></tr></thead><tbody>",
    );
    for finding in findings {
        let id = escaped(&finding.id);
        let (tokens, files) = match (finding.tokens_before, finding.tokens) {
            (Some(before), Some(after)) => (
                // What headers declare is written out first: that is no reduction.
                if after < before {
                    format!("{before} → {after}")
                } else {
                    after.to_string()
                },
                &["reduced.c", "report.md", "filing.txt", "repro.sh"].map(|name| (REDUCED, name))[..],
            ),
            _ => ("not reduced".into(), &[("", "repro.sh")][..]),
        };
        let links: Vec<String> = files
            .iter()
            .map(|(directory, name)| {
                let path = Path::new(directory).join(name);
                format!("<a href=\"findings/{id}/{}\">{name}</a>", path.display())
            })
            .collect();
        let _ = write!(
            html,
            "<tr><td><a href=\"findings/{id}/\">{id}</a></td><td>{}</td><td>{}</td><td>{}</td>\
             <td class=\"number\">{tokens}</td><td class=\"files\">{}</td></tr>",
            escaped(&finding.config),
            escaped(&finding.seed),
            escaped(&finding.signature),
            links.join(" "),
        );
    }
    html.push_str("</tbody></table></div>");
}
