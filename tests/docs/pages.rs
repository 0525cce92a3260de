//! Markdown, as much of it as the tests need: fenced blocks, links, code in lines.

use crate::support::repository;
use std::fs;
use std::path::{Path, PathBuf};

/// A page of the documentation.
#[derive(Debug)]
pub(super) struct Page {
    /// Relative to the repository.
    pub(super) path: PathBuf,
    pub(super) blocks: Vec<Block>,
    /// All that is not in blocks.
    pub(super) prose: String,
}

/// A fenced block.
#[derive(Debug)]
pub(super) struct Block {
    /// `sh` is run by the tests, `console` is shown only, `text` right after `sh` is
    /// what it prints.
    pub(super) language: String,
    pub(super) text: String,
}

impl Page {
    fn read(path: &Path) -> Page {
        let text = fs::read_to_string(repository().join(path)).unwrap();
        let (mut blocks, mut prose) = (Vec::new(), String::new());
        let mut open: Option<Block> = None;
        for line in text.lines() {
            match (line.trim_start().strip_prefix("```"), &mut open) {
                (Some(language), None) => {
                    open = Some(Block {
                        language: language.to_owned(),
                        text: String::new(),
                    });
                }
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (None, Some(block)) => block.text.extend([line, "\n"]),
                (None, None) => prose.extend([line, "\n"]),
            }
        }
        assert!(open.is_none(), "{} has an open block", path.display());
        Page {
            path: path.to_owned(),
            blocks,
            prose,
        }
    }

    /// Where its links lead.
    pub(super) fn links(&self) -> impl Iterator<Item = &str> {
        let targets = self.prose.split("](").skip(1);
        targets.filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
    }

    /// The names that links have for its headings: `## A: b` is `a-b`.
    pub(super) fn sections(&self) -> impl Iterator<Item = String> {
        let lines = self.prose.lines();
        let headings = lines.filter_map(|line| line.strip_prefix("## "));
        headings.map(|heading| {
            let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-');
            let text: String = heading.to_lowercase().chars().filter(kept).collect();
            text.replace(' ', "-")
        })
    }

    /// `code` in its prose.
    pub(super) fn code(&self) -> impl Iterator<Item = &str> {
        let paragraphs = self.prose.split("\n\n");
        paragraphs.flat_map(|paragraph| paragraph.split('`').skip(1).step_by(2))
    }

    /// Everything that is typed in its blocks, one command each.
    pub(super) fn typed(&self) -> Vec<String> {
        let mut typed = Vec::new();
        for block in &self.blocks {
            match block.language.as_str() {
                "sh" => typed.extend(block.commands()),
                "console" => {
                    let lines = block.text.lines().map(str::trim_start);
                    typed.extend(lines.filter_map(|l| l.strip_prefix("$ ")).map(String::from));
                }
                _ => {}
            }
        }
        typed
    }
}

impl Block {
    /// The commands of a block to be run, with lines that go on joined.
    pub(super) fn commands(&self) -> Vec<String> {
        let joined = self.text.replace("\\\n", " ");
        let lines = joined
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty());
        lines.map(String::from).collect()
    }
}

/// The README and the guide.
pub(super) fn manual() -> Vec<Page> {
    let guide = markdown(Path::new("docs")).into_iter();
    let all = guide.chain([PathBuf::from("README.md")]);
    all.map(|path| Page::read(&path)).collect()
}

/// Every page there is.
pub(super) fn all() -> Vec<Page> {
    let others = [
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "DESIGN.md",
        "corpora/README.md",
    ];
    let others = others.iter().map(|path| Page::read(Path::new(path)));
    manual().into_iter().chain(others).collect()
}

/// The pages of a directory, relative to the repository.
pub(super) fn markdown(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(repository().join(directory)).unwrap();
    let names = entries.map(|entry| directory.join(entry.unwrap().file_name()));
    let mut found: Vec<PathBuf> = names
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    found.sort();
    assert!(!found.is_empty());
    found
}
