//! A campaign as one self-contained page: style, script and plots are embedded, and
//! everything can be read without the script.

use super::figures::{Figures, ShownBucket, ShownFinding};
use super::{escaped, plot};
use crate::hunt::finding::{REDUCED, SUSPICIONS};
use crate::lab::words::plural;
use crate::variant::strategy::ProposalTally;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

pub(super) fn page(figures: &Figures) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>Mestra: {} in {}</title>\
         <link rel=\"icon\" href=\"data:,\"><style>{STYLE}</style></head><body>\n\
         <header><h1>Mestra</h1><p>a campaign over {}; trusted: {}</p></header>\n<main>\n",
        plural(figures.totals.found(), "finding"),
        plural(figures.buckets.len(), "bucket"),
        plural(figures.configs.len(), "config"),
        escaped(&figures.trusted.join("; ")),
    );
    totals(&mut html, figures);
    findings(&mut html, figures);
    suspicions(&mut html, figures);
    plots(&mut html, figures);
    kinds(&mut html, figures);
    configs(&mut html, figures);
    set_aside(&mut html, figures);
    let _ = write!(
        html,
        "</main>\n<footer>made by Mestra {}</footer>\n<script>{SCRIPT}</script></body></html>\n",
        escaped(&figures.mestra)
    );
    html
}

fn totals(html: &mut String, figures: &Figures) {
    let totals = &figures.totals;
    let aside: u64 = totals.set_aside.values().sum();
    let new = figures.new_buckets().count();
    html.push_str("<section class=\"cards\" aria-label=\"totals\">");
    let chains = figures.chains.as_ref().and_then(|c| c.steps.rate());
    let chains = chains.map(|rate| (percent(rate), "chain steps accepted"));
    let figures = [
        (new.to_string(), "new buckets"),
        (totals.found().to_string(), "findings"),
        (totals.seeds.to_string(), "seeds"),
        (aside.to_string(), "seeds set aside"),
        (totals.variants.to_string(), "variants"),
        (totals.runs.to_string(), "runs"),
        (rate(&figures.progress), "variants per minute"),
        (percent(totals.overhead()), "CPU time of Mestra itself"),
    ];
    for (value, name) in figures.into_iter().chain(chains) {
        let _ = write!(html, "<div><b>{value}</b><span>{name}</span></div>");
    }
    html.push_str("</section>\n");
}

/// A part of a whole.
fn percent(part: f64) -> String {
    format!("{:.1} %", part * 100.0)
}

fn rate(progress: &[f64]) -> String {
    match progress.last() {
        Some(last) if *last > 0.0 => format!("{:.1}", progress.len() as f64 / last * 60.0),
        _ => "–".into(),
    }
}

fn findings(html: &mut String, figures: &Figures) {
    html.push_str("<section id=\"findings\"><h2>Findings</h2>\n");
    if figures.buckets.is_empty() {
        html.push_str("<p class=\"none\">No findings.</p></section>\n");
        return;
    }
    let verdicts = figures
        .buckets
        .iter()
        .map(|bucket| bucket.verdict.as_str())
        .collect();
    let families = figures
        .buckets
        .iter()
        .map(|bucket| bucket.family.as_str())
        .collect();
    html.push_str("<form class=\"filters\" role=\"search\">");
    choice(html, "verdict", &verdicts);
    choice(html, "family", &families);
    let hidden = if figures.buckets.iter().any(|bucket| bucket.is_known) {
        ""
    } else {
        " hidden"
    };
    let _ = writeln!(
        html,
        "<label>text <input id=\"text\" type=\"search\" placeholder=\"any word\"></label>\
         <label{hidden}><input id=\"known\" type=\"checkbox\"> include known</label>\
         <output id=\"shown\"></output></form>",
    );
    for bucket in &figures.buckets {
        card(html, bucket);
    }
    html.push_str("</section>\n");
}

/// What is kept and is no finding, with all that is known of it.
fn suspicions(html: &mut String, figures: &Figures) {
    if figures.suspicions.is_empty() {
        return;
    }
    html.push_str(
        "<section id=\"suspicions\"><h2>To look at</h2><p>Failures that could not be checked, or \
         that may be the program's own.</p><div class=\"wide\"><table><thead><tr>\
         <th>suspicion</th><th>config</th><th>verdict</th><th>what is open</th>\
         <th>what was established</th></tr></thead><tbody>",
    );
    for kept in &figures.suspicions {
        let established: String = kept
            .confirmations
            .iter()
            .map(|done| format!("<li>{}</li>", escaped(done)))
            .collect();
        let _ = write!(
            html,
            "<tr><td><a href=\"{SUSPICIONS}/{id}/\">{id}</a></td><td>{}</td><td>{}</td>\
             <td>{}</td><td><ul>{established}</ul></td></tr>",
            escaped(&kept.config),
            escaped(&kept.verdict),
            escaped(&kept.reason),
            id = escaped(&kept.id),
        );
    }
    html.push_str("</tbody></table></div></section>\n");
}

fn choice(html: &mut String, name: &str, values: &BTreeSet<&str>) {
    let _ = write!(
        html,
        "<label>{name} <select id=\"{name}\"><option value=\"\">any</option>"
    );
    for value in values {
        let _ = write!(html, "<option>{}</option>", escaped(value));
    }
    html.push_str("</select></label>");
}

fn card(html: &mut String, bucket: &ShownBucket) {
    let known = if bucket.is_known { " known" } else { "" };
    let _ = write!(
        html,
        "<details class=\"bucket{known}\" data-verdict=\"{}\" data-family=\"{}\"{}>\
         <summary><span class=\"verdict\">{}</span> <span class=\"title\">{}</span> \
         <span class=\"count\">{}</span></summary>\n<p class=\"key\">{}</p>\n",
        escaped(&bucket.verdict),
        escaped(&bucket.family),
        if bucket.is_known { " hidden" } else { "" },
        escaped(&bucket.verdict),
        escaped(&bucket.title),
        plural(bucket.findings.len(), "finding"),
        escaped(&bucket.key),
    );
    let reduced = bucket.findings[0].lines;
    let heading = match reduced {
        Some(lines) => format!("Reduced program, {}", plural(lines, "line")),
        None => "Program".to_owned(),
    };
    part(html, &heading, &bucket.program, true);
    if bucket.expected.is_empty() {
        part(html, "What the compiler did", &bucket.actual, true);
    } else {
        html.push_str("<div class=\"pair\">");
        part(html, "Expected", &bucket.expected, true);
        part(html, "Actual", &bucket.actual, true);
        html.push_str("</div>");
    }
    difference(html, &bucket.diff);
    if let Some(report) = &bucket.report {
        part(html, "Bug report (Markdown)", report, false);
    }
    members(html, &bucket.findings);
    html.push_str("</details>\n");
}

fn part(html: &mut String, heading: &str, text: &str, is_open: bool) {
    let open = if is_open { " open" } else { "" };
    let _ = writeln!(
        html,
        "<details class=\"part\"{open}><summary>{}</summary><pre tabindex=\"0\">{}</pre></details>",
        escaped(heading),
        escaped(text)
    );
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
         <th>signature</th><th class=\"number\">lines</th><th>files</th></tr></thead><tbody>",
    );
    for finding in findings {
        let id = escaped(&finding.id);
        let (lines, files) = match (finding.lines_before, finding.lines) {
            (Some(before), Some(after)) => (
                format!("{before} → {after}"),
                &["reduced.c", "report.md", "repro.sh"].map(|name| (REDUCED, name))[..],
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
             <td class=\"number\">{lines}</td><td class=\"files\">{}</td></tr>",
            escaped(&finding.config),
            escaped(&finding.seed),
            escaped(&finding.signature),
            links.join(" "),
        );
    }
    html.push_str("</tbody></table></div>");
}

fn plots(html: &mut String, figures: &Figures) {
    let made = figures.kinds.iter();
    let made: Vec<(String, f64)> = made
        .map(|(kind, statistics)| (kind.clone(), statistics.made as f64))
        .collect();
    let acceptance = figures.chains.as_ref().map(|chains| &chains.acceptance[..]);
    let whole = |value: f64| format!("{value:.0}");
    let cpu: Vec<(String, f64)> = figures.totals.cpu.clone().into_iter().collect();
    let all: f64 = cpu.iter().map(|(_, seconds)| seconds).sum();
    let share = move |seconds: f64| format!("{seconds:.1} s, {:.1} %", seconds / all * 100.0);
    html.push_str("<section class=\"plots\">");
    for (heading, svg) in [
        (
            "Variants over time",
            plot::cumulative(&figures.progress, "variants done over time"),
        ),
        (
            "CPU time by stage",
            plot::bars(&cpu, "CPU time by stage", share),
        ),
        (
            "Mutations in variants",
            plot::bars(&made, "mutations by kind", whole),
        ),
        (
            "Chains by share of accepted steps",
            plot::shares(acceptance.unwrap_or_default(), "accepted steps", "chain"),
        ),
    ] {
        let _ = write!(
            html,
            "<figure><figcaption>{heading}</figcaption>{svg}</figure>"
        );
    }
    html.push_str("</section>\n");
}

/// What became of each kind of mutation.
fn kinds(html: &mut String, figures: &Figures) {
    if figures.kinds.is_empty() {
        return;
    }
    html.push_str(
        "<section><h2>Mutations</h2><div class=\"wide\"><table><thead><tr><th>kind</th>\
         <th class=\"number\">in variants</th><th class=\"number\">proposed by chains</th>\
         <th class=\"number\">accepted</th><th class=\"number\">acceptance</th>\
         <th class=\"number\">needed by failures</th></tr></thead><tbody>",
    );
    let mut row = |kind: &str, made: Option<u64>, tally: ProposalTally, guilty: Option<u64>| {
        let count = |count: Option<u64>| count.map_or("–".into(), |count| count.to_string());
        let proposed = (tally.proposed > 0).then_some(tally.proposed);
        let _ = write!(html, "<tr><td>{}</td>", escaped(kind));
        for cell in [
            count(made),
            count(proposed),
            count(proposed.map(|_| tally.accepted)),
            tally.rate().map_or("–".into(), percent),
            count(guilty),
        ] {
            let _ = write!(html, "<td class=\"number\">{cell}</td>");
        }
        html.push_str("</tr>");
    };
    for (kind, statistics) in &figures.kinds {
        let guilty = figures.guilty.get(kind).copied().unwrap_or_default();
        row(
            kind,
            Some(statistics.made),
            statistics.additions,
            Some(guilty),
        );
    }
    if let Some(chains) = &figures.chains {
        row("removal", None, chains.removals, None);
    }
    html.push_str("</tbody></table></div></section>\n");
}

fn configs(html: &mut String, figures: &Figures) {
    html.push_str(
        "<section><h2>Configs</h2><div class=\"wide\"><table><thead><tr><th>config</th>\
         <th>version</th><th class=\"number\">runs</th><th class=\"number\">findings</th>\
         <th class=\"number\">not confirmed</th><th>compile time of variants</th>\
         <th>size of their code</th></tr></thead><tbody>",
    );
    let spread = |spread: Option<(f64, f64)>| match spread {
        Some((median, most)) => format!("× {median:.2}, at most {most:.2}"),
        None => "–".into(),
    };
    for (name, version) in &figures.configs {
        let health = figures
            .totals
            .configs
            .get(name)
            .copied()
            .unwrap_or_default();
        let _ = write!(
            html,
            "<tr><td>{}</td><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>\
             <td class=\"number\">{}</td><td>{}</td><td>{}</td></tr>",
            escaped(name),
            escaped(version),
            health.runs,
            health.findings,
            health.dismissed,
            spread(health.compile_time),
            spread(health.code_size),
        );
    }
    html.push_str("</tbody></table></div></section>\n");
}

fn set_aside(html: &mut String, figures: &Figures) {
    let rows = |html: &mut String,
                heading: &str,
                counts: &std::collections::BTreeMap<String, u64>| {
        if counts.is_empty() {
            return;
        }
        let _ = write!(
            html,
            "<section><h2>{heading}</h2><div class=\"wide\"><table><thead><tr><th>reason</th><th class=\"number\">count</th></tr></thead><tbody>"
        );
        for (reason, count) in counts {
            let _ = write!(
                html,
                "<tr><td>{}</td><td class=\"number\">{count}</td></tr>",
                escaped(reason)
            );
        }
        html.push_str("</tbody></table></div></section>\n");
    };
    rows(html, "Seeds set aside", &figures.totals.set_aside);
    let dismissed = figures.dismissed.iter();
    let dismissed = dismissed.map(|(kind, count)| (kind.summary().to_owned(), *count));
    rows(html, "Suspicions not confirmed", &dismissed.collect());
}
