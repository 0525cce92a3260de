//! `mestra serve`: the page while a campaign goes on, and nothing else of the machine.

use super::planted::{CRASH, WRONG_CODE, campaign, plant};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server that ends with the test.
struct Served {
    child: Child,
    address: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serve(directory: &Path) -> Served {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(["serve", "--port", "0"])
        .arg(directory)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("http://").expect(&line);
    let address = address.trim_end_matches('/').to_owned();
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    Served { child, address }
}

impl Served {
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        let patience = Duration::from_secs(30);
        stream.set_read_timeout(Some(patience)).unwrap();
        stream
    }

    fn ask(&self, request: &str, host: &str) -> String {
        let mut stream = self.connect();
        let text = format!("{request} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn get(&self, path: &str) -> String {
        self.ask(&format!("GET {path}"), &self.address)
    }
}

#[test]
fn the_page_is_served_read_only_and_tells_when_it_is_old() {
    let directory = tempfile::tempdir().unwrap();
    drop(campaign(directory.path()));
    plant(directory.path(), 1, WRONG_CODE, 9);
    let served = serve(directory.path());
    let page = served.get("/");
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n"), "{page}");
    assert!(page.contains("default-src 'none'"), "{page}");
    assert!(page.contains("id=\"gcc-wrong-code-ftree-vrp\""), "{page}");
    assert!(page.contains("<body data-live>"), "{page}");
    let file = served.get("/findings/s000001-v001-gcc-O2/reduced/reduced.c");
    assert!(
        file.contains("text/plain") && file.contains("int main"),
        "{file}"
    );
    let listed = served.get("/findings/s000001-v001-gcc-O2/");
    assert!(listed.contains(">variant.c</a>"), "{listed}");
    for (request, host, status) in [
        ("GET /campaign.db", served.address.as_str(), 404),
        ("GET /findings/../campaign.db", &served.address, 404),
        ("POST /", &served.address, 405),
        ("GET /", "evil.example", 421),
        ("GET /events", "evil.example", 421),
        ("nonsense", &served.address, 400),
    ] {
        let answer = served.ask(request, host);
        let expected = format!("HTTP/1.1 {status} ");
        assert!(answer.starts_with(&expected), "{request}: {answer}");
    }
    // Somebody listens, and something is found.
    let mut events = served.connect();
    let ask = format!("GET /events HTTP/1.1\r\nHost: {}\r\n\r\n", served.address);
    events.write_all(ask.as_bytes()).unwrap();
    let mut lines = BufReader::new(events).lines().map(Result::unwrap);
    assert!(lines.any(|line| line == "Content-Type: text/event-stream"));
    assert!(lines.any(|line| line.starts_with("retry: ")));
    plant(directory.path(), 2, CRASH, 5);
    assert!(lines.any(|line| line == "event: update"));
    assert!(served.get("/").contains("id=\"gcc-crash-in-gimplify"));
}
