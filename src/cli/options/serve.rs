//! The command line of the live report.

use clap::Args;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct ServeCommand {
    /// The directory of the campaign, or one that contains those of its parts.
    #[arg(value_name = "CAMPAIGN_DIR")]
    pub campaign: PathBuf,

    /// The port to listen at; 0 is any that is free.
    #[arg(long, value_name = "PORT", default_value_t = 8017)]
    pub port: u16,

    /// The address to listen at. Any but that of this machine lets others read the
    /// campaign.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub address: IpAddr,
}
