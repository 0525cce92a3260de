//! The report of a campaign at an address of this machine, as the campaign goes on, here or in
//! parts on many machines.
//!
//! Everything is read and nothing is written. There are the page, the files of findings and
//! suspicions, and a stream of events that says when the page has become old. A thread
//! serves each connection; there are few.

mod exchange;
mod files;
mod names;
mod source;

use crate::hunt::campaign::gather::FileTimes;
use anyhow::{Context, Result, bail};
use exchange::{Request, Response};
use names::ServedNames;
use source::PageSource;
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// More connections than this wait for nobody.
const MOST_CONNECTIONS: usize = 64;

/// How often somebody looks whether the campaign has done something.
const LOOK: Duration = Duration::from_secs(1);

/// A stream without news says so after this many looks, to learn whether anybody listens.
const SILENCE: u32 = 15;

/// For so many times as long as it took to make, a page is new: a large campaign changes all
/// the time, and somebody else needs the machine, too.
const REST: u32 = 10;

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
    source: PageSource,
    names: ServedNames,
    page: Mutex<Option<KeptPage>>,
    connections: AtomicUsize,
}

/// The last page.
#[derive(Debug)]
struct KeptPage {
    /// The state of the campaign that it shows.
    of: FileTimes,
    text: Arc<str>,
    /// It is shown until then, whatever happens.
    rests_until: Instant,
}

impl Server {
    /// Takes an address; port 0 is any that is free.
    ///
    /// # Errors
    /// If there is no campaign, or the address is taken.
    pub fn bind(campaign: &Path, address: IpAddr, port: u16) -> Result<Server> {
        let source = PageSource::open(campaign)?;
        let wanted = SocketAddr::new(address, port);
        let listener = match TcpListener::bind(wanted) {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                bail!("listening at {wanted}: {error}; --port 0 takes a free one")
            }
            bound => bound.with_context(|| format!("listening at {wanted}"))?,
        };
        let address = listener.local_addr().context("asking for the address")?;
        Ok(Server {
            listener,
            site: Arc::new(ServedCampaign {
                source,
                names: ServedNames::of(address),
                page: Mutex::default(),
                connections: AtomicUsize::new(0),
            }),
        })
    }

    /// Where a browser finds it.
    pub fn address(&self) -> SocketAddr {
        self.site.names.shown()
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
            return Response::refused(400, "bad request").send(&mut stream);
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
        files::answer(self.source.campaign(), &request.path)
    }

    /// What is said to those who want to change something, and to pages of others that
    /// have made this address their own.
    fn refusal(&self, request: &Request) -> Option<Response> {
        if request.method != "GET" {
            return Some(Response::refused(405, "everything here is to be read only"));
        }
        let host = request.host.as_deref().unwrap_or_default();
        let is_own = self.names.include(host);
        (!is_own).then(|| Response::refused(421, &self.names.advice()))
    }

    /// The page as the campaign is now, or was a moment ago.
    fn page(&self) -> Result<Arc<str>> {
        let of = self.source.file_times();
        let mut kept = self.kept();
        if let Some(kept) = &*kept
            && (kept.of == of || Instant::now() < kept.rests_until)
        {
            return Ok(Arc::clone(&kept.text));
        }
        let began = Instant::now();
        let text: Arc<str> = self.source.page()?.into();
        *kept = Some(KeptPage {
            of,
            text: Arc::clone(&text),
            rests_until: Instant::now() + began.elapsed() * REST,
        });
        Ok(text)
    }

    fn kept(&self) -> MutexGuard<'_, Option<KeptPage>> {
        self.page.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says when the page has become old, until nobody listens.
    fn tell(&self, stream: &mut TcpStream) -> io::Result<()> {
        stream.write_all(exchange::EVENTS.as_bytes())?;
        stream.write_all(b"retry: 2000\n\n")?;
        // Whoever listens has just fetched the page.
        let shown = self.kept().as_ref().map(|kept| kept.of.clone());
        let mut seen = shown.unwrap_or_else(|| self.source.file_times());
        let mut silent = 0;
        loop {
            thread::sleep(LOOK);
            let now = self.source.file_times();
            let page = self.kept();
            let rests = page
                .as_ref()
                .is_some_and(|kept| Instant::now() < kept.rests_until);
            drop(page);
            if now != seen && !rests {
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
