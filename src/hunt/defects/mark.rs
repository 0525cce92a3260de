//! What people say of a defect: `mestra mark`.

use super::{Defect, Defects, expect_campaign, sightings};
use anyhow::{Result, bail, ensure};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

/// What became of a defect, the later the more it says.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum DefectState {
    /// Nobody has said anything.
    #[default]
    New,
    /// It was reported to the compiler's developers.
    Filed,
    /// They agree that it is a defect.
    Confirmed,
    /// It is the same defect as another.
    Duplicate,
    /// It is no defect.
    Invalid,
    /// It is fixed, according to somebody.
    Fixed,
    /// It was fixed, and has been found again.
    Back,
}

/// A state with what belongs to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkedAs {
    #[serde(default)]
    pub state: DefectState,
    /// Where it was reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The name of the defect that it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicate_of: Option<String>,
    /// The first version without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed_in: Option<String>,
}

impl DefectState {
    pub(crate) fn name(self) -> &'static str {
        match self {
            DefectState::New => "new",
            DefectState::Filed => "filed",
            DefectState::Confirmed => "confirmed",
            DefectState::Duplicate => "duplicate",
            DefectState::Invalid => "invalid",
            DefectState::Fixed => "fixed",
            DefectState::Back => "back",
        }
    }
}

impl fmt::Display for MarkedAs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.state.name())?;
        match self.state {
            DefectState::Duplicate => {
                let of = self.duplicate_of.iter();
                of.into_iter().try_for_each(|of| write!(f, " of {of}"))
            }
            DefectState::Fixed => {
                let versions = self.fixed_in.iter();
                versions
                    .into_iter()
                    .try_for_each(|version| write!(f, " in {version}"))
            }
            _ => self.url.iter().try_for_each(|url| write!(f, ", {url}")),
        }
    }
}

/// Sets the state of a defect, which is named by its name, by the first letters of it, or
/// by one of its findings; the defect as it is then.
///
/// # Errors
/// If no defect, or more than one, is meant, or the mark makes no sense.
pub(crate) fn mark(campaign: &Path, name: &str, state: &MarkedAs) -> Result<Defect> {
    state.check()?;
    expect_campaign(campaign)?;
    let sighted = sightings(campaign, &[])?;
    let unsorted = sighted.unsorted();
    let bucket_of = sighted.bucket_of(name).map(str::to_owned);
    let mut defects = sighted.into_defects();
    let name = bucket_of.as_deref().unwrap_or(name);
    let at = defects.find(name)?;
    let name = &defects.defects[at].known_as.name;
    ensure!(
        state.state == DefectState::New || !unsorted.contains(name),
        "{name} is not a defect yet, only findings that are not reduced; first run `mestra reduce {}`",
        campaign.display()
    );
    let duplicate_of = match &state.duplicate_of {
        Some(of) => {
            let of = defects.find(of)?;
            ensure!(of != at, "a defect cannot be a duplicate of itself");
            Some(defects.defects[of].known_as.name.clone())
        }
        None => None,
    };
    let marked = &mut defects.defects[at].marked;
    *marked = match state.state {
        DefectState::New => MarkedAs::default(),
        _ => MarkedAs {
            url: state.url.clone().or(marked.url.take()),
            duplicate_of,
            ..state.clone()
        },
    };
    if state.state == DefectState::New {
        // Whatever an earlier campaign knew of it.
        defects.defects[at].known_as.is_known = false;
    }
    let defect = defects.defects[at].clone();
    defects.write(campaign)?;
    Ok(defect)
}

impl MarkedAs {
    /// Fails if what belongs to the state cannot be what it should be.
    fn check(&self) -> Result<()> {
        if let Some(url) = &self.url {
            let is_address = ["http://", "https://"].iter().any(|start| {
                let rest = url.strip_prefix(start);
                rest.is_some_and(|rest| !rest.is_empty())
            });
            ensure!(
                is_address,
                "{url:?} is no address: it must begin with https://"
            );
        }
        if let Some(version) = &self.fixed_in {
            let is_number = version.starts_with(|first: char| first.is_ascii_digit());
            ensure!(
                is_number,
                "{version:?} is not a version: write a number such as 13.3"
            );
        }
        Ok(())
    }
}

impl Defects {
    fn find(&self, name: &str) -> Result<usize> {
        // What every name begins with, names none.
        ensure!(!name.is_empty(), "the name of the bucket is empty");
        let names = self.defects.iter().map(|defect| &defect.known_as.name);
        if let Some(exact) = names.clone().position(|own| own == name) {
            return Ok(exact);
        }
        let starting = names.clone().enumerate();
        let mut starting = starting.filter(|(_, own)| own.starts_with(name));
        match (starting.next(), starting.next()) {
            (Some((at, _)), None) => Ok(at),
            (None, _) => {
                ensure!(names.len() > 0, "there is no defect {name}; none is known");
                let names: Vec<&str> = names.map(String::as_str).collect();
                bail!("there is no defect {name}; there are {}", names.join(", "))
            }
            (Some((_, one)), Some((_, other))) => {
                bail!("{name} may be {one} or {other}; write more of its name")
            }
        }
    }
}
