//! The files of findings and suspicions, as text. Nothing else of the machine is there.

use super::exchange::Response;
use crate::hunt::finding::{FINDINGS, SUSPICIONS};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// What is at a path such as `/findings/s000001-seed-tcc-O0/repro.sh`.
pub(super) fn answer(campaign: &Path, path: &str) -> Response {
    let missing = || Response::refused(404, "there is no such file");
    let mut parts = path.trim_start_matches('/').split('/');
    let is_public = parts
        .next()
        .is_some_and(|first| [FINDINGS, SUSPICIONS].contains(&first));
    // Names of findings need no escapes, so a path that has some is none of theirs.
    let is_plain = |part: &str| part != ".." && !part.contains(['%', '\0', '\\']);
    if !is_public || !parts.all(is_plain) {
        return missing();
    }
    let wanted = campaign.join(path.trim_start_matches('/'));
    // A link must not lead elsewhere.
    let Some(found) = fs::canonicalize(wanted)
        .ok()
        .filter(|found| found.starts_with(campaign))
    else {
        return missing();
    };
    if found.is_dir() {
        return listing(&found, path);
    }
    fs::read(&found).map_or_else(|_| missing(), Response::text)
}

fn listing(directory: &Path, path: &str) -> Response {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    let path = path.trim_end_matches('/');
    let mut html = format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>{path}</title></head>\
         <body><h1>{path}</h1><ul>"
    );
    for name in names.iter().map(|name| crate::hunt::report::escaped(name)) {
        let _ = write!(html, "<li><a href=\"{path}/{name}\">{name}</a></li>");
    }
    html.push_str("</ul></body></html>\n");
    Response::html(html.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_findings_and_suspicions_are_there() {
        let directory = tempfile::tempdir().unwrap();
        let campaign = fs::canonicalize(directory.path()).unwrap();
        let finding = campaign.join("findings/a");
        fs::create_dir_all(&finding).unwrap();
        fs::write(finding.join("seed.c"), "int x;\n").unwrap();
        fs::write(campaign.join("campaign.db"), "secret").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", finding.join("link")).unwrap();
        let status = |path: &str| answer(&campaign, path).status;
        assert_eq!(status("/findings/a/seed.c"), 200);
        assert_eq!(status("/findings/a/"), 200);
        for path in [
            "/campaign.db",
            "/findings/../campaign.db",
            "/findings/a/%2e%2e/%2e%2e/campaign.db",
            "/findings/a/link",
            "/findings/b",
            "/etc/passwd",
            "//etc/passwd",
        ] {
            assert_eq!(status(path), 404, "{path}");
        }
    }
}
