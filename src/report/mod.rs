//! Reports: a text for a bug tracker for each finding, and for a campaign one page
//! that works from disk, and the same for programs.

pub mod markdown;
