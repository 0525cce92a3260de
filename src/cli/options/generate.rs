//! The command line of the program generator.

use super::number::at_least_one;
use crate::variant::generate::{
    Feature, GenerateRequest, OutputCheck, ProgramLanguage, ProgramMode,
};
use clap::Args;
use std::ops::RangeInclusive;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct GenerateCommand {
    /// The number of the program, or of the first one; the same number makes the same
    /// program everywhere.
    #[arg(long = "seed", value_name = "N", default_value_t = 1)]
    pub number: u64,

    /// How many programs to make, with successive numbers.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: Option<u64>,

    /// Write each program to a file in this directory, with its expected output beside it.
    /// Without it, one program is printed; several need it, or --stats.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Size of a program, about, in bytes; K stands for thousand. Code is counted by its
    /// operators and statements; not counted are tables of inputs, the printing of results, and
    /// what vectors and wide numbers need at the top, which can double a program of a few K.
    #[arg(long, value_name = "MIN..MAX", default_value = "10K..80K", value_parser = sizes)]
    pub size: RangeInclusive<u32>,

    /// Number of input vectors; by default drawn for each program.
    #[arg(long, value_name = "N", value_parser = ["1", "2", "4", "8", "16"])]
    pub rows: Option<String>,

    /// Only these features, and every program has them.
    #[arg(long, value_name = "NAME,…", value_enum, value_delimiter = ',')]
    pub features: Vec<Feature>,

    /// Programs may also have these features, which only some compilers know: bitint.
    #[arg(long, value_name = "NAME,…", value_enum, value_delimiter = ',')]
    pub with: Vec<Feature>,

    /// No program has these features.
    #[arg(long, value_name = "NAME,…", value_enum, value_delimiter = ',')]
    pub without: Vec<Feature>,

    /// Make every choice with its usual weights, and leave no feature out.
    #[arg(long)]
    pub no_policies: bool,

    /// What programs consist of.
    #[arg(long, value_name = "MODE", value_enum, default_value_t = ProgramMode::Mixed)]
    pub mode: ProgramMode,

    /// How a program shows what it computed.
    #[arg(long, value_name = "HOW", value_enum, default_value_t = OutputCheck::Hash)]
    pub check: OutputCheck,

    /// The language of the programs; those of C++ keep to what both languages share.
    #[arg(long, value_name = "LANGUAGE", value_enum, default_value_t = ProgramLanguage::C)]
    pub language: ProgramLanguage,

    /// Count what was made, and print that instead of the program.
    #[arg(long)]
    pub stats: bool,

    /// How many programs to make at once; by default as many as there are cores.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub jobs: Option<usize>,
}

impl GenerateCommand {
    pub(crate) fn request(&self) -> GenerateRequest {
        GenerateRequest {
            size: self.size.clone(),
            rows: self.rows.as_ref().and_then(|rows| rows.parse().ok()),
            features: self.features.clone(),
            with: self.with.clone(),
            without: self.without.clone(),
            policies: !self.no_policies,
            mode: self.mode,
            check: self.check,
            language: self.language,
        }
    }
}

/// A range of sizes such as `10K..80K`, or a single size.
fn sizes(text: &str) -> Result<RangeInclusive<u32>, String> {
    let size = |text: &str| {
        let (digits, by) = match text.strip_suffix(['K', 'k']) {
            Some(digits) => (digits, 1000),
            None => (text, 1),
        };
        let size = digits
            .parse::<u32>()
            .ok()
            .and_then(|size| size.checked_mul(by));
        size.filter(|size| (1000..=10_000_000).contains(size))
            .ok_or_else(|| format!("{text}: sizes are from 1K to 10000K"))
    };
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let (least, most) = (size(least)?, size(most)?);
    if least > most {
        return Err(format!("{text}: the first size is above the second"));
    }
    Ok(least..=most)
}
