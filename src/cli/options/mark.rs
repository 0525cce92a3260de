//! The command line of marks and retests.

use crate::hunt::defects::{DefectState, MarkedAs};
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct MarkCommand {
    /// The directory of the campaign.
    #[arg(value_name = "CAMPAIGN_DIR")]
    pub campaign: PathBuf,

    /// The bucket, by its name or the first letters of it, or by one of its findings.
    #[arg(value_name = "BUCKET")]
    pub bucket: String,

    #[command(subcommand)]
    pub state: ChosenState,
}

/// What is said of a defect.
#[derive(Debug, Subcommand)]
pub enum ChosenState {
    /// It was reported to the compiler's developers.
    Filed {
        /// Where.
        #[arg(value_name = "URL")]
        url: String,
    },
    /// The compiler's developers agree that it is a defect.
    Confirmed,
    /// It is fixed; if a campaign finds it again, it is back.
    Fixed {
        /// The first version without it, such as 13.3; older ones may still have it.
        #[arg(value_name = "VERSION")]
        version: Option<String>,
    },
    /// It is no defect.
    Invalid,
    /// It is the same defect as another.
    Duplicate {
        /// The other bucket.
        #[arg(value_name = "OF")]
        of: String,
    },
    /// Nothing is said of it any more: a mark that was made by mistake is taken back.
    New,
}

impl ChosenState {
    pub(crate) fn marked(&self) -> MarkedAs {
        let marked = |state| MarkedAs {
            state,
            ..MarkedAs::default()
        };
        match self {
            ChosenState::Filed { url } => MarkedAs {
                url: Some(url.clone()),
                ..marked(DefectState::Filed)
            },
            ChosenState::Confirmed => marked(DefectState::Confirmed),
            ChosenState::Fixed { version } => MarkedAs {
                fixed_in: version.clone(),
                ..marked(DefectState::Fixed)
            },
            ChosenState::Invalid => marked(DefectState::Invalid),
            ChosenState::New => marked(DefectState::New),
            ChosenState::Duplicate { of } => MarkedAs {
                duplicate_of: Some(of.clone()),
                ..marked(DefectState::Duplicate)
            },
        }
    }
}

#[derive(Debug, Args)]
pub struct RetestCommand {
    /// The directory of the campaign.
    #[arg(value_name = "CAMPAIGN_DIR")]
    pub campaign: PathBuf,

    /// The compiler to try, by name or path.
    #[arg(long, value_name = "CC")]
    pub compiler: String,

    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}
