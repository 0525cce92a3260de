//! What a campaign says while it works: a bar on a terminal, lines elsewhere, or
//! events as JSON.

use super::store::Run;
use super::totals::Totals;
use crate::cli::console::Progress;
use crate::hunt::finding::Finding;
use crate::hunt::finding::verdict::VerdictKind;
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The screen of one campaign. Usable from many threads.
#[derive(Debug)]
pub(super) struct Screen {
    progress: Progress,
    is_json: bool,
    began: Instant,
    /// When the campaign ends by itself, if it has a time limit.
    limit: Option<Duration>,
    tally: Mutex<Tally>,
}

#[derive(Debug, Default)]
struct Tally {
    variants: u64,
    findings: BTreeMap<VerdictKind, u64>,
    /// Configs that have failed, with what came of it: confirmed and dismissed.
    failing: BTreeMap<String, (u64, u64)>,
}

impl Screen {
    /// For so many seeds and configs, as far as that is known.
    pub(super) fn new(
        seeds: Option<u64>,
        limit: Option<Duration>,
        is_json: bool,
        configs: usize,
    ) -> Screen {
        let progress = Progress::with_message(seeds);
        progress.message(&format!("{configs} configs"));
        Screen {
            progress,
            is_json,
            began: Instant::now(),
            limit,
            tally: Mutex::default(),
        }
    }

    pub(super) fn variant_done(&self) {
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.variants += 1;
        self.progress.message(&self.state(&tally));
    }

    pub(super) fn seed_done(&self, number: u64, name: &str) -> Result<()> {
        let state = {
            let tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
            self.state(&tally)
        };
        self.progress.advance();
        if self.is_json {
            return self.event(json!({"event": "seed", "number": number, "name": name}));
        }
        if !self.progress.is_drawn() {
            self.progress
                .line(&format!("seed {number} ({name}) done; {state}"))?;
        }
        Ok(())
    }

    pub(super) fn set_aside(&self, number: u64, name: &str, reason: &str) -> Result<()> {
        self.progress.advance();
        if self.is_json {
            return self.event(
                json!({"event": "set-aside", "number": number, "name": name, "reason": reason}),
            );
        }
        if !self.progress.is_drawn() {
            self.progress
                .line(&format!("seed {number} ({name}) set aside: {reason}"))?;
        }
        Ok(())
    }

    /// Tells of what is surprising: findings, and what was almost one.
    pub(super) fn run(&self, run: &Run, finding: Option<&Finding>) -> Result<()> {
        if run.verdict.is_same() {
            return Ok(());
        }
        {
            let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
            let failing = tally.failing.entry(run.config.clone()).or_default();
            match finding {
                Some(_) => failing.0 += 1,
                None => failing.1 += 1,
            }
            if finding.is_some() {
                *tally.findings.entry(run.verdict.kind).or_default() += 1;
            }
            self.progress.message(&self.state(&tally));
        }
        match (finding, &run.dismissed) {
            (Some(finding), _) if self.is_json => self.event(json!({
                "event": "finding",
                "id": finding.id,
                "config": run.config,
                "verdict": run.verdict,
            })),
            (Some(finding), _) => Ok(self
                .progress
                .line(&format!("finding {}: {}", finding.id, run.verdict))?),
            (None, Some(doubt)) if self.is_json => self.event(json!({
                "event": "dismissed",
                "config": run.config,
                "verdict": run.verdict,
                "reason": doubt.to_string(),
            })),
            _ => Ok(()),
        }
    }

    pub(super) fn clear(&self) {
        self.progress.finish();
    }

    pub(super) fn end(&self, totals: &Totals, is_interrupted: bool) -> Result<()> {
        self.progress.finish();
        if self.is_json {
            let overhead = totals.overhead();
            return self.event(json!({
                "event": "end",
                "interrupted": is_interrupted,
                "overhead": overhead,
                "totals": totals,
            }));
        }
        self.progress.line(&totals.to_string())?;
        Ok(())
    }

    fn event(&self, event: Value) -> Result<()> {
        Ok(self.progress.line(&event.to_string())?)
    }

    /// All in one line: rate, findings by kind, configs that fail, time left.
    fn state(&self, tally: &Tally) -> String {
        let elapsed = self.began.elapsed();
        let rate = tally.variants as f64 / elapsed.as_secs_f64().max(0.001) * 60.0;
        let mut text = format!("{} variants, {rate:.0} a minute", tally.variants);
        if tally.findings.is_empty() {
            text.push_str(", no findings");
        }
        for (kind, count) in &tally.findings {
            let _ = write!(text, ", {count} {kind}");
        }
        for (config, (found, dismissed)) in &tally.failing {
            let _ = write!(text, "; {config}: {found} found, {dismissed} not confirmed");
        }
        if let Some(limit) = self.limit {
            let left = limit.saturating_sub(elapsed).as_secs();
            let (hours, minutes, seconds) = (left / 3600, left / 60 % 60, left % 60);
            let _ = write!(text, "; {hours}:{minutes:02}:{seconds:02} left");
        }
        text
    }
}
