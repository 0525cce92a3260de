//! A campaign on the screen: a bar on a terminal, lines elsewhere, or events as JSON.

use super::json;
use crate::cli::console::{Progress, time_left};
use crate::hunt::campaign::event::Event;
use crate::hunt::finding::verdict::VerdictKind;
use crate::lab::interrupt;
use crate::lab::words::plural;
use crate::variant::observer::Observer;
use anyhow::Result;
use serde_json::{Value, json as object};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The screen of one campaign.
#[derive(Debug)]
pub(crate) struct CampaignScreen {
    is_json: bool,
    /// Set when the campaign begins.
    shown: OnceLock<Shown>,
    counts: Mutex<CampaignCounts>,
}

/// What is known from the beginning of a campaign on.
#[derive(Debug)]
struct Shown {
    progress: Progress,
    began: Instant,
    limit: Option<Duration>,
}

/// What has happened so far.
#[derive(Debug, Default)]
struct CampaignCounts {
    seeds: u64,
    variants: u64,
    findings: BTreeMap<VerdictKind, u64>,
    /// Configs that have failed, with how often that was confirmed and dismissed.
    failing: BTreeMap<String, (u64, u64)>,
    /// Failures that are kept and are no findings.
    apart: u64,
}

impl CampaignScreen {
    pub(crate) fn new(is_json: bool) -> CampaignScreen {
        CampaignScreen {
            is_json,
            shown: OnceLock::new(),
            counts: Mutex::default(),
        }
    }

    /// Counts an event; the state of the campaign after it.
    fn count(&self, event: &Event, shown: &Shown) -> String {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::SeedDone { .. } | Event::SeedSetAside { .. } => counts.seeds += 1,
            Event::VariantDone => counts.variants += 1,
            Event::Found {
                config, verdict, ..
            } => {
                *counts.findings.entry(verdict.kind).or_default() += 1;
                counts.failing.entry(config.clone()).or_default().0 += 1;
            }
            Event::KeptApart { .. } => counts.apart += 1,
            Event::Dismissed { config, .. } => {
                counts.failing.entry(config.clone()).or_default().1 += 1;
            }
            _ => {}
        }
        counts.state(shown)
    }
}

impl Observer<Event> for CampaignScreen {
    fn observe(&self, event: &Event) -> Result<()> {
        if let Event::Began {
            seeds,
            configs,
            limit,
        } = event
        {
            let shown = self.shown.get_or_init(|| Shown {
                progress: Progress::of_phase("hunting", "seeds", *seeds, *limit),
                began: Instant::now(),
                limit: *limit,
            });
            shown.progress.message(&plural(*configs as u64, "config"));
        }
        let Some(shown) = self.shown.get() else {
            return Ok(());
        };
        let progress = &shown.progress;
        let state = self.count(event, shown);
        match event {
            Event::SeedDone { .. } | Event::SeedSetAside { .. } | Event::NoSuchInstance => {
                progress.advance();
            }
            Event::VariantDone
            | Event::Found { .. }
            | Event::KeptApart { .. }
            | Event::Dismissed { .. } => {
                progress.message(&state);
            }
            Event::Failed | Event::Ended { .. } => progress.finish(),
            Event::Began { .. } | Event::NotCopied { .. } => {}
        }
        if self.is_json {
            if let Some((name, data)) = as_json(event) {
                progress.data(&json::line(name, data))?;
            }
        } else if let Some(line) = as_text(event, &state, progress.is_drawn()) {
            progress.line(&line)?;
        }
        Ok(())
    }
}

/// The name and the data of an event that `--json` tells of.
fn as_json(event: &Event) -> Option<(&'static str, Value)> {
    Some(match event {
        Event::Began {
            seeds,
            configs,
            limit,
        } => {
            let limit = limit.map(|limit| limit.as_secs());
            let data = object!({"seeds": seeds, "configs": configs, "limit": limit});
            ("begin", data)
        }
        Event::SeedDone { number, name } => ("seed", object!({"number": number, "name": name})),
        Event::SeedSetAside {
            number,
            name,
            reason,
        } => {
            let reason = reason.to_string();
            let data = object!({"number": number, "name": name, "reason": reason});
            ("set-aside", data)
        }
        Event::Found {
            id,
            config,
            verdict,
        } => {
            let data = object!({"id": id, "config": config, "verdict": verdict});
            ("finding", data)
        }
        Event::KeptApart {
            id,
            config,
            verdict,
            standing,
        } => (
            "suspicion",
            object!({
                "id": id,
                "config": config,
                "verdict": verdict,
                "standing": standing.kind(),
                "reason": standing.to_string(),
            }),
        ),
        Event::Dismissed {
            config,
            verdict,
            doubt,
        } => {
            let reason = doubt.to_string();
            let data = object!({"config": config, "verdict": verdict, "reason": reason});
            ("dismissed", data)
        }
        Event::NotCopied { reason } => ("not-copied", object!({"reason": reason})),
        Event::Ended {
            totals,
            is_interrupted,
        } => (
            "end",
            object!({
                "interrupted": is_interrupted,
                "overhead": totals.overhead(),
                "totals": totals,
            }),
        ),
        Event::VariantDone | Event::NoSuchInstance | Event::Failed => return None,
    })
}

/// The line for people; seeds are told of only where there is no bar to count them.
fn as_text(event: &Event, state: &str, has_bar: bool) -> Option<String> {
    match event {
        Event::SeedDone { number, name } => {
            (!has_bar).then(|| format!("seed {number} ({name}) done; {state}"))
        }
        Event::SeedSetAside {
            number,
            name,
            reason,
        } => (!has_bar).then(|| format!("seed {number} ({name}) set aside: {reason}")),
        Event::Found { id, verdict, .. } => Some(format!("finding {id}: {verdict}")),
        Event::KeptApart {
            id,
            verdict,
            standing,
            ..
        } => Some(format!("suspicion {id}: {verdict}; {standing}")),
        Event::NotCopied { reason } => Some(format!("the copy is not up to date: {reason}")),
        Event::Ended { totals, .. } => Some(totals.to_string()),
        Event::Began { .. }
        | Event::VariantDone
        | Event::NoSuchInstance
        | Event::Dismissed { .. }
        | Event::Failed => None,
    }
}

impl CampaignCounts {
    /// All in one line: rate, findings by kind, configs that fail, time left.
    fn state(&self, shown: &Shown) -> String {
        let elapsed = shown.began.elapsed();
        // Not every campaign makes variants.
        let (done, noun) = match self.variants {
            0 => (self.seeds, "seed"),
            variants => (variants, "variant"),
        };
        let rate = done as f64 / elapsed.as_secs_f64().max(0.001) * 60.0;
        let mut text = format!("{}, {rate:.0} per minute", plural(done, noun));
        if self.findings.is_empty() {
            text.push_str(", no findings");
        }
        for (kind, count) in &self.findings {
            let _ = write!(text, ", {count} {kind}");
        }
        if self.apart > 0 {
            let _ = write!(text, ", {} to look at", plural(self.apart, "suspicion"));
        }
        for (config, (found, dismissed)) in &self.failing {
            let _ = write!(text, "; {config}: {found} found, {dismissed} not confirmed");
        }
        // A bar shows the time itself.
        let is_over = shown.progress.is_drawn() || interrupt::is_requested();
        if let Some(left) = time_left(shown.limit.filter(|_| !is_over), elapsed) {
            let _ = write!(text, "; {left}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt::finding::Doubt;
    use crate::hunt::finding::verdict::Verdict;

    #[test]
    fn events_are_told_as_json_in_a_form_that_does_not_change() {
        let verdict = Verdict::new(VerdictKind::WrongOutput, "output");
        let events = [
            Event::VariantDone,
            Event::SeedDone {
                number: 3,
                name: "a.c".into(),
            },
            Event::Dismissed {
                config: "gcc -O2".into(),
                verdict: verdict.clone(),
                doubt: Doubt::NotReproduced {
                    verdict: Verdict::same(),
                },
            },
            Event::Found {
                id: "s000003-v001-gcc-O2".into(),
                config: "gcc -O2".into(),
                verdict,
            },
        ];
        let lines: Vec<String> = events
            .iter()
            .filter_map(as_json)
            .map(|(name, data)| format!("{name} {data}"))
            .collect();
        assert_eq!(
            lines,
            [
                r#"seed {"name":"a.c","number":3}"#,
                r#"dismissed {"config":"gcc -O2","reason":"not reproduced: another run gave same","verdict":{"kind":"wrong-output","signature":"output"}}"#,
                r#"finding {"config":"gcc -O2","id":"s000003-v001-gcc-O2","verdict":{"kind":"wrong-output","signature":"output"}}"#,
            ]
        );
    }

    #[test]
    fn the_state_counts_what_was_confirmed_and_what_was_not() {
        let screen = CampaignScreen::new(false);
        let shown = Shown {
            progress: Progress::of_phase("hunting", "seeds", None, None),
            began: Instant::now(),
            limit: None,
        };
        let verdict = Verdict::new(VerdictKind::RunCrash, "SIGSEGV");
        let found = Event::Found {
            id: String::new(),
            config: "tcc".into(),
            verdict,
        };
        screen.count(&Event::VariantDone, &shown);
        let state = screen.count(&found, &shown);
        assert!(state.starts_with("1 variant, "), "{state}");
        assert!(
            state.ends_with(", 1 run-crash; tcc: 1 found, 0 not confirmed"),
            "{state}"
        );
    }
}
