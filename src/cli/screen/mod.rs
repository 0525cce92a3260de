//! What long commands show while they work: observers that turn events into a bar,
//! lines, or JSON.

mod batch;
mod campaign;
mod json;
mod reduction;

pub(super) use batch::BatchScreen;
pub(super) use campaign::CampaignScreen;
pub(super) use reduction::ReductionScreen;
