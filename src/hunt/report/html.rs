//! A campaign as one self-contained page: style, script and plots are embedded, and
//! everything can be read without the script.

use super::card::card;
use super::cluster::{self, ClusterView};
use super::figures::{Figures, ShownDefect};
use super::{date, escaped, plot};
use crate::hunt::finding::SUSPICIONS;
use crate::lab::words::plural;
use crate::variant::strategy::ProposalTally;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page; a live one follows a campaign that goes on, perhaps on many machines.
pub(super) fn page(figures: &Figures, is_live: bool, cluster: Option<&ClusterView>) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>Mestra: {} in {}</title>\
         <link rel=\"icon\" href=\"data:,\"><style>{STYLE}</style></head><body{}>\n\
         <header><h1>Mestra</h1><p>{}</p></header>\n<main>\n",
        plural(figures.totals.found(), "finding"),
        plural(figures.buckets.len(), "bucket"),
        if is_live { " data-live" } else { "" },
        about(figures, cluster),
    );
    totals(&mut html, figures);
    findings(&mut html, figures);
    damaged(&mut html, figures);
    unseen(&mut html, &figures.unseen);
    suspicions(&mut html, figures);
    plots(&mut html, figures);
    kinds(&mut html, figures);
    strategies(&mut html, figures);
    configs(&mut html, figures);
    if let Some(cluster) = cluster {
        cluster::table(&mut html, cluster);
    }
    set_aside(&mut html, figures);
    let _ = write!(
        html,
        "</main>\n<footer>made by Mestra {}</footer>\n<script>{SCRIPT}</script></body></html>\n",
        escaped(&figures.mestra)
    );
    html
}

/// When, how long, with what, and by which command.
fn about(figures: &Figures, cluster: Option<&ClusterView>) -> String {
    let worked = date::duration(Duration::from_secs_f64(figures.seconds));
    let mut text = format!(
        "{}; {worked} of work; {}; trusted: {}",
        escaped(&figures.date),
        plural(figures.configs.len(), "config"),
        escaped(&figures.trusted.join("; ")),
    );
    if let Some(cluster) = cluster {
        let summary = cluster::summary(cluster);
        let _ = write!(text, "<br><a href=\"#parts\">{summary}</a>");
    }
    if let Some(command) = &figures.command {
        let _ = write!(text, "<br><code>{}</code>", escaped(command));
    }
    text
}

/// Findings that are in no bucket because their files cannot be read.
fn damaged(html: &mut String, figures: &Figures) {
    if figures.damaged.is_empty() {
        return;
    }
    html.push_str("<section id=\"damaged\"><h2>Not readable</h2><ul>");
    for finding in &figures.damaged {
        let (id, reason) = (escaped(&finding.id), escaped(&finding.reason));
        let _ = write!(html, "<li>{id}: {reason}</li>");
    }
    html.push_str("</ul></section>\n");
}

/// Defects that are known and were not found here.
fn unseen(html: &mut String, defects: &[ShownDefect]) {
    if defects.is_empty() {
        return;
    }
    html.push_str(
        "<section id=\"unseen\"><h2>Known and not found here</h2><div class=\"wide\"><table>\
         <thead><tr><th>bucket</th><th>title</th><th>state</th><th>last retest</th></tr></thead>\
         <tbody>",
    );
    for defect in defects {
        let is_fixed = if defect.is_fixed { "fixed" } else { "not seen" };
        let _ = write!(
            html,
            "<tr><td>{}</td><td>{}</td><td>{is_fixed}; {}</td><td>{}</td></tr>",
            escaped(&defect.name),
            escaped(&defect.title),
            escaped(&defect.marked.to_string()),
            escaped(defect.retest.as_deref().unwrap_or("–")),
        );
    }
    html.push_str("</tbody></table></div></section>\n");
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
         <label>sort <select id=\"sort\"><option value=\"\">different first</option>\
         <option>size</option><option>findings</option><option>name</option></select></label>\
         <label{hidden}><input id=\"known\" type=\"checkbox\"> include known</label>\
         <output id=\"shown\"></output></form><div id=\"buckets\">",
    );
    for bucket in &figures.buckets {
        card(html, bucket);
    }
    html.push_str("</div></section>\n");
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
            "Buckets over time",
            plot::cumulative(
                &figures.bucket_seconds,
                "first findings of buckets over time",
            ),
        ),
        (
            "Variants over time, by strategy",
            plot::curves(&figures.strategies, "variants by strategy over time"),
        ),
        (
            "Mutations over time, by kind",
            plot::curves(&figures.kinds_over_time, "mutations by kind over time"),
        ),
        (
            "Buckets over time, by strategy",
            plot::curves(
                &figures.buckets_over_time,
                "new buckets by strategy over time",
            ),
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

/// What became of the variants of each strategy.
fn strategies(html: &mut String, figures: &Figures) {
    let all = &figures.totals.strategies;
    if all.values().all(|made| made.objects == 0) {
        return;
    }
    html.push_str(
        "<section><h2>Strategies</h2><p>An object is futile if it is the same as that of the seed \
         under the same config.</p><div class=\"wide\"><table><thead><tr><th>strategy</th>\
         <th class=\"number\">variants</th><th class=\"number\">objects</th>\
         <th class=\"number\">futile</th></tr></thead><tbody>",
    );
    for (strategy, made) in all {
        let _ = write!(html, "<tr><td>{}</td>", escaped(strategy));
        for count in [made.variants, made.objects, made.futile] {
            let _ = write!(html, "<td class=\"number\">{count}</td>");
        }
        html.push_str("</tr>");
    }
    html.push_str("</tbody></table></div></section>\n");
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
    doubts(html, figures);
}

/// The first of the suspicions that were not confirmed, one by one.
fn doubts(html: &mut String, figures: &Figures) {
    if figures.doubts.is_empty() {
        return;
    }
    let _ = write!(
        html,
        "<details class=\"part\"><summary>{} of them, one by one</summary><div class=\"wide\">\
         <table><thead><tr><th>seed</th><th>variant</th><th>config</th><th>verdict</th>\
         <th>why it is not believed</th></tr></thead><tbody>",
        figures.doubts.len()
    );
    for doubt in &figures.doubts {
        let variant = match doubt.variant {
            0 => "the seed itself".to_owned(),
            number => number.to_string(),
        };
        let _ = write!(
            html,
            "<tr><td>{}</td><td>{variant}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            doubt.seed,
            escaped(&doubt.config),
            escaped(&doubt.verdict),
            escaped(&doubt.reason),
        );
    }
    html.push_str("</tbody></table></div></details>\n");
}
