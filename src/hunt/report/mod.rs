//! Reports: a text for a bug tracker for each finding; for a campaign, a page that works
//! from disk, and the same data for programs.

mod card;
mod cluster;
mod date;
mod explorer;
mod figures;
mod html;
mod junit;
pub(crate) mod markdown;
mod plot;
mod sarif;
pub(crate) mod tracker;

pub(crate) use cluster::{ClusterView, ShownPart};
pub use figures::{Figures, ShownBucket, ShownDefect, ShownFinding};

use crate::hunt::finding::{FINDINGS, SUSPICIONS, directories_in};
use crate::lab::files::{copy_directory, write_whole};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// The names of the files that a campaign's report consists of.
pub(crate) mod file {
    pub(crate) const PAGE: &str = "report.html";
    pub(crate) const JSON: &str = "report.json";
    pub(crate) const SARIF: &str = "report.sarif";
    pub(crate) const JUNIT: &str = "report.xml";
}

/// Reports on a campaign in a directory, and keeps what is known of its defects.
pub fn make(campaign: &Path, known: &[PathBuf], directory: &Path) -> Result<Figures> {
    let figures = Figures::read(campaign, known)?;
    write(&figures, directory)?;
    copy_findings(campaign, directory)?;
    figures.defects.write(campaign)?;
    Ok(figures)
}

/// The page of a campaign that goes on, perhaps in parts, for whoever serves it.
pub(crate) fn live_page(figures: &Figures, cluster: Option<&ClusterView>) -> String {
    html::page(figures, true, cluster)
}

/// Copies what the page links to beside it, if that is not where the campaign is.
fn copy_findings(campaign: &Path, directory: &Path) -> Result<()> {
    if fs::canonicalize(campaign).ok() == fs::canonicalize(directory).ok() {
        return Ok(());
    }
    for which in [FINDINGS, SUSPICIONS] {
        for from in directories_in(campaign, which)? {
            let to = directory.join(which);
            let to = to.join(from.file_name().unwrap_or_default());
            copy_directory(&from, &to).with_context(|| format!("copying {}", from.display()))?;
        }
    }
    Ok(())
}

/// Writes all forms of a campaign's report into a directory.
pub fn write(figures: &Figures, directory: &Path) -> Result<()> {
    let mut json = serde_json::to_vec_pretty(figures)?;
    json.push(b'\n');
    let mut sarif = serde_json::to_vec_pretty(&sarif::log(figures))?;
    sarif.push(b'\n');
    write_whole(&directory.join(file::JSON), &json)?;
    write_whole(&directory.join(file::SARIF), &sarif)?;
    write_whole(
        &directory.join(file::JUNIT),
        junit::suite(figures).as_bytes(),
    )?;
    write_whole(
        &directory.join(file::PAGE),
        html::page(figures, false, None).as_bytes(),
    )
}

/// Text as XML and HTML take it, in elements and in attributes.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // XML has no way to hold these.
            c if c.is_control() && !matches!(c, '\n' | '\t' | '\r') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
