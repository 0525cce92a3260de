//! `mestra serve`: the report of a campaign, live.

use super::{print, signals};
use crate::cli::console::say;
use crate::cli::exit_code::ExitCode;
use crate::cli::options::ServeCommand;
use crate::hunt::serve::Server;
use anyhow::Result;

pub(super) fn serve(options: &ServeCommand) -> Result<ExitCode> {
    signals::stop_at_once()?;
    let server = Server::bind(&options.campaign, options.address, options.port)?;
    if !options.address.is_loopback() {
        say(&format!(
            "others can read this campaign at {}",
            server.address()
        ));
    }
    print(|out| writeln!(out, "http://{}/", server.address()))?;
    server.run();
    Ok(ExitCode::Done)
}
