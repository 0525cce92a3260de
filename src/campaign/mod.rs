//! Campaigns: seeds and their variants given to compilers, for hours, with
//! nothing lost and nothing reported that is not so.

pub mod crash;
pub mod finding;
pub mod judge;
pub mod verdict;
