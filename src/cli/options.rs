//! The command line as typed.

mod bisect;
mod campaign;
mod cluster;
mod enumerate;
mod findings;
mod generate;
mod help;
mod inspect;
mod manual;
mod mark;
mod mutate;
mod number;
mod profile;
mod serve;
mod variant;

pub(crate) use bisect::BisectCommand;
pub(crate) use campaign::{CampaignCommand, CompactCommand, GuardCommand, MergeCommand};
pub(crate) use cluster::ClusterCommand;
pub(crate) use enumerate::EnumerateCommand;
pub(crate) use findings::{ReduceCommand, ReportCommand};
pub(crate) use generate::GenerateCommand;
pub(crate) use inspect::{CompilersCommand, DumpOptions, MissedCommand, ProbeCommand};
pub(crate) use manual::{CompletionsCommand, ManCommand};
pub(crate) use mark::{MarkCommand, RetestCommand};
pub(crate) use mutate::{DonorsCommand, MutateCommand, Mutating, ObjectiveName};
pub(crate) use profile::{ProfileCommand, Profiling};
pub(crate) use serve::ServeCommand;
pub(crate) use variant::{ExplainCommand, ReplayCommand, VerifyCommand};

use clap::{Parser, Subcommand};

/// Finds bugs in C compilers with variants of C programs that must behave the same.
#[derive(Debug, Parser)]
#[command(name = "mestra", version, after_help = help::program())]
pub struct Options {
    #[command(subcommand)]
    pub command: ChosenCommand,
}

#[derive(Debug, Subcommand)]
pub enum ChosenCommand {
    /// Test compilers with variants of many programs, for as long as you like.
    #[command(after_help = help::CAMPAIGN)]
    Campaign(Box<CampaignCommand>),

    /// Group the findings of a campaign into buckets and write a report.
    #[command(after_help = help::REPORT)]
    Report(ReportCommand),

    /// Reduce findings to small programs and write a bug report for each.
    #[command(after_help = help::REDUCE)]
    Reduce(ReduceCommand),

    /// Show the report of a campaign in a browser while it goes on.
    #[command(after_help = help::SERVE)]
    Serve(ServeCommand),

    /// Try what a campaign has found with another version of the compiler.
    #[command(after_help = help::RETEST)]
    Retest(RetestCommand),

    /// Find the commit of a compiler's git history that brought a defect.
    #[command(after_help = help::BISECT)]
    Bisect(BisectCommand),

    /// Say what became of a bucket: filed, confirmed, fixed, invalid, a duplicate.
    #[command(after_help = help::MARK)]
    Mark(MarkCommand),

    /// Merge the shards of a campaign.
    #[command(after_help = help::MERGE)]
    Merge(MergeCommand),

    /// Make the database of a campaign smaller, keeping all findings and counts.
    #[command(after_help = help::COMPACT)]
    Compact(CompactCommand),

    /// Write files that run a campaign on many machines: with Slurm, Kubernetes, HTCondor,
    /// GNU parallel or make.
    #[command(after_help = help::CLUSTER)]
    Cluster(ClusterCommand),

    /// Make variants of C programs that must behave like the originals.
    #[command(after_help = help::MUTATE)]
    Mutate(Box<MutateCommand>),

    /// Check that variants behave like their seed and have no undefined behaviour.
    #[command(after_help = help::VERIFY)]
    Verify(VerifyCommand),

    /// Rebuild a variant, or a part of it, from its seed and its record.
    #[command(after_help = help::REPLAY)]
    Replay(ReplayCommand),

    /// Show each mutation of a variant: where it stands, the values seen there, why it
    /// changes nothing, and what becomes of the text.
    #[command(after_help = help::EXPLAIN)]
    Explain(ExplainCommand),

    /// Make all programs that differ from a C program in which variables they name where.
    #[command(after_help = help::ENUMERATE)]
    Enumerate(Box<EnumerateCommand>),

    /// Make C programs without undefined behaviour whose output is known.
    #[command(after_help = help::GENERATE)]
    Generate(Box<GenerateCommand>),

    /// Show optimisations that compilers miss: calls in code that never runs, kept by one and
    /// removed by another, or by the same at a lower level.
    #[command(after_help = help::MISSED)]
    Missed(MissedCommand),

    /// Collect statements and functions from C programs for variants of others.
    #[command(after_help = help::DONORS)]
    Donors(DonorsCommand),

    /// Run a C program and show what its variables hold at every point.
    #[command(after_help = help::PROFILE)]
    Profile(ProfileCommand),

    /// Show how Mestra sees a C program: functions, statements, points, and what
    /// can be read where.
    #[command(after_help = help::DUMP)]
    Dump(DumpOptions),

    /// List compilers with their versions, targets and features, as campaigns see them.
    #[command(after_help = help::COMPILERS)]
    Compilers(CompilersCommand),

    /// Say what is installed, and what is missing for what.
    #[command(after_help = help::DOCTOR)]
    Doctor,

    /// Print a shell completion script.
    #[command(after_help = help::COMPLETIONS)]
    Completions(CompletionsCommand),

    /// Write manual pages: one for the program, one for each command.
    #[command(after_help = help::MAN)]
    Man(ManCommand),

    /// Clean up a directory once standard input ends; a campaign starts it.
    #[command(hide = true)]
    Guard(GuardCommand),

    /// Read a program that may be too much for libclang; others start it.
    #[command(hide = true)]
    Probe(ProbeCommand),
}
