//! As much of HTTP as a browser on this machine needs.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;

/// More than this is no request of a browser.
const LONGEST_REQUEST: u64 = 16 << 10;

/// Nothing is loaded from elsewhere, whatever a compiler's message contains.
const POLICY: &str = "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; \
                      script-src 'unsafe-inline'; connect-src 'self'; img-src data:\r\n\
                      X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
                      Cache-Control: no-store\r\n";

/// The head of a stream of events.
pub(super) const EVENTS: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\
                                 Cache-Control: no-store\r\nConnection: close\r\n\r\n";

/// What a browser wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) method: String,
    /// Without what is behind a question mark.
    pub(super) path: String,
    pub(super) host: Option<String>,
}

impl Request {
    /// `None` if what comes is no request.
    pub(super) fn read(stream: &TcpStream) -> io::Result<Option<Request>> {
        let mut lines = BufReader::new(stream.take(LONGEST_REQUEST)).lines();
        let Some(first) = lines.next().transpose()? else {
            return Ok(None);
        };
        let mut host = None;
        for line in lines {
            let line = line?;
            match line.split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("host") => {
                    host = Some(value.trim().to_owned());
                }
                Some(_) => {}
                None => break,
            }
        }
        let mut words = first.split(' ');
        let (Some(method), Some(target)) = (words.next(), words.next()) else {
            return Ok(None);
        };
        let path = target.split('?').next().unwrap_or(target);
        Ok(path.starts_with('/').then(|| Request {
            method: method.to_owned(),
            path: path.to_owned(),
            host,
        }))
    }
}

/// What it gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Response {
    pub(super) status: u16,
    kind: &'static str,
    body: Vec<u8>,
}

impl Response {
    pub(super) fn html(body: Vec<u8>) -> Response {
        Response {
            status: 200,
            kind: "text/html; charset=utf-8",
            body,
        }
    }

    pub(super) fn text(body: Vec<u8>) -> Response {
        Response {
            status: 200,
            kind: "text/plain; charset=utf-8",
            body,
        }
    }

    pub(super) fn refused(status: u16, reason: &str) -> Response {
        Response {
            status,
            ..Response::text(format!("{reason}\n").into_bytes())
        }
    }

    pub(super) fn send(&self, stream: &mut TcpStream) -> io::Result<()> {
        let reason = match self.status {
            200 => "OK",
            400 => "Bad Request",
            404 => "Not Found",
            405 => "Method Not Allowed",
            421 => "Misdirected Request",
            _ => "Internal Server Error",
        };
        let head = format!(
            "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{POLICY}\
             Connection: close\r\n\r\n",
            self.status,
            self.kind,
            self.body.len()
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(&self.body)
    }
}
