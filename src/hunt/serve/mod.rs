//! The report of a campaign at an address of this machine, as the campaign goes on.
//!
//! Everything is read and nothing is written. There are the page, the files of findings and
//! suspicions, and a stream of events that says when the page has become old. A thread
//! serves each connection; there are few.

mod exchange;
mod files;

use crate::hunt::report::{Figures, live_page};
use anyhow::{Context, Result};
use exchange::{Request, Response};
use std::fs;
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

/// More connections than this wait for nobody.
const MOST_CONNECTIONS: usize = 64;

/// How often somebody looks whether the campaign has done something.
const LOOK: Duration = Duration::from_secs(1);

/// A stream without news says so after this many looks, to learn whether anybody listens.
const SILENCE: u32 = 15;

/// A connection that says nothing for so long is closed.
const PATIENCE: Duration = Duration::from_secs(10);

/// Serves the pages of one campaign.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    site: Arc<ServedCampaign>,
}

/// What is served.
#[derive(Debug)]
struct ServedCampaign {
    campaign: PathBuf,
    address: SocketAddr,
    /// The last page, and the state of the campaign that it shows.
    page: Mutex<Option<(FileTimes, Arc<str>)>>,
    connections: AtomicUsize,
}

/// Sizes and times of the files that a page depends on.
type FileTimes = Vec<(u64, Option<SystemTime>)>;

impl Server {
    /// Takes an address; port 0 is any that is free.
    ///
    /// # Errors
    /// If there is no campaign, or the address is taken.
    pub fn bind(campaign: &Path, address: IpAddr, port: u16) -> Result<Server> {
        // Better now than in a browser.
        Figures::read(campaign, &[])?;
        let wanted = SocketAddr::new(address, port);
        let listener =
            TcpListener::bind(wanted).with_context(|| format!("listening at {wanted}"))?;
        let address = listener.local_addr().context("asking for the address")?;
        let campaign = fs::canonicalize(campaign);
        Ok(Server {
            listener,
            site: Arc::new(ServedCampaign {
                campaign: campaign.context("finding the campaign")?,
                address,
                page: Mutex::default(),
                connections: AtomicUsize::new(0),
            }),
        })
    }

    pub fn address(&self) -> SocketAddr {
        self.site.address
    }

    /// Serves whoever connects, for ever.
    pub fn run(&self) {
        for stream in self.listener.incoming().flatten() {
            let site = Arc::clone(&self.site);
            if site.connections.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
                site.connections.fetch_sub(1, Ordering::Relaxed);
                continue;
            }
            thread::spawn(move || {
                // A browser that goes away is no error.
                let _ = site.serve(stream);
                site.connections.fetch_sub(1, Ordering::Relaxed);
            });
        }
    }
}

impl ServedCampaign {
    fn serve(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let Some(request) = Request::read(&stream)? else {
            return Response::refused(400, "this is no request").send(&mut stream);
        };
        if request.path == "/events" && self.refusal(&request).is_none() {
            return self.tell(&mut stream);
        }
        self.answer(&request).send(&mut stream)
    }

    fn answer(&self, request: &Request) -> Response {
        if let Some(refusal) = self.refusal(request) {
            return refusal;
        }
        if request.path == "/" {
            return match self.page() {
                Ok(page) => Response::html(page.as_bytes().to_vec()),
                Err(error) => Response::refused(500, &format!("{error:#}")),
            };
        }
        files::answer(&self.campaign, &request.path)
    }

    /// What is said to those who want to change something, and to pages of others that
    /// have made this address their own.
    fn refusal(&self, request: &Request) -> Option<Response> {
        if request.method != "GET" {
            return Some(Response::refused(405, "everything here is to be read only"));
        }
        let host = request.host.as_deref().unwrap_or_default();
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        let own = self.address.ip();
        let is_own = name == "localhost"
            || name.trim_matches(['[', ']']).parse() == Ok(own)
            || own.is_unspecified() && name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
        (!is_own).then(|| Response::refused(421, "this address is known by another name"))
    }

    fn stamp(&self) -> FileTimes {
        let names = ["campaign.db", "campaign.db-wal", "defects.json", "findings"];
        let files = names.iter().map(|name| {
            let file = fs::metadata(self.campaign.join(name));
            file.map_or((0, None), |file| (file.len(), file.modified().ok()))
        });
        files.collect()
    }

    /// The page as the campaign is now.
    fn page(&self) -> Result<Arc<str>> {
        let stamp = self.stamp();
        let mut kept = self.page.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, page)) = &*kept
            && *of == stamp
        {
            return Ok(Arc::clone(page));
        }
        let page: Arc<str> = live_page(&Figures::read(&self.campaign, &[])?).into();
        *kept = Some((stamp, Arc::clone(&page)));
        Ok(page)
    }

    /// Says when the page has become old, until nobody listens.
    fn tell(&self, stream: &mut TcpStream) -> io::Result<()> {
        stream.write_all(exchange::EVENTS.as_bytes())?;
        stream.write_all(b"retry: 2000\n\n")?;
        let mut seen = self.stamp();
        let mut silent = 0;
        loop {
            thread::sleep(LOOK);
            let now = self.stamp();
            if now != seen {
                seen = now;
                silent = 0;
                stream.write_all(b"event: update\ndata: {}\n\n")?;
            } else if silent == SILENCE {
                silent = 0;
                stream.write_all(b": nothing new\n\n")?;
            }
            silent += 1;
        }
    }
}
