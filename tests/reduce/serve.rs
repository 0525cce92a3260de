//! `mestra serve`: the page while a campaign goes on, in one place or many, and nothing else of
//! the machine.

use super::planted::{CRASH, WRONG_CODE, campaign, plant, shard};
use mestra::hunt::campaign::Shard;
use rustix::fs::{FlockOperation, flock};
use std::fs::{self, File};
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

/// How many the page says there are of something in its totals.
fn total(page: &str, name: &str) -> u64 {
    let before = page.split(&format!("</b><span>{name}</span>")).next();
    let number = before.and_then(|text| text.rsplit("<b>").next());
    number.unwrap().parse().expect(name)
}

#[test]
fn the_parts_of_a_cluster_are_one_page_while_they_grow() {
    let place = tempfile::tempdir().unwrap();
    // A directory with a name that addresses of databases give a meaning to.
    let parts = place.path().join("parts %41?#");
    let part = |number: u64| parts.join(number.to_string());
    let begin = |part_number: u64| {
        let of = Shard {
            part: part_number,
            of: 3,
        };
        shard(&part(part_number), of)
    };
    fs::create_dir_all(&parts).unwrap();
    // Nothing is there so far.
    let none = Command::new(env!("CARGO_BIN_EXE_mestra"))
        .args(["serve", "--port", "0"])
        .arg(&parts)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&none.stderr).into_owned();
    assert_eq!(none.status.code(), Some(1), "{said}");
    assert!(
        said.contains("contains no campaign, and no directory in it does"),
        "{said}"
    );

    // One part is at work, and one is at rest.
    let one = begin(1);
    let lock = File::create(part(1).join("lock")).unwrap();
    flock(&lock, FlockOperation::LockExclusive).unwrap();
    drop(begin(2));
    File::create(part(2).join("lock")).unwrap();
    plant(&part(2), 2, CRASH, 5);
    let served = serve(&parts);
    let page = served.get("/");
    assert_eq!(total(&page, "seeds"), 4);
    assert_eq!(total(&page, "variants"), 6);
    assert!(
        page.contains("2 parts: 1 at rest, 1 running; shard 3/3 is missing"),
        "{page}"
    );
    assert!(page.contains("id=\"gcc-crash-in-gimplify"), "{page}");
    let file = served.get("/findings/s000001-v002-gcc-O2/reduced/reduced.c");
    assert!(file.contains("int main"), "{file}");

    // The one at work goes on, a third one comes, and so do two that do not belong here.
    let mut events = served.connect();
    let ask = format!("GET /events HTTP/1.1\r\nHost: {}\r\n\r\n", served.address);
    events.write_all(ask.as_bytes()).unwrap();
    let mut lines = BufReader::new(events).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.starts_with("retry: ")));
    one.begin_seed(7, "next.c", "csmith --seed 7").unwrap();
    one.finish_seed(7, 0).unwrap();
    plant(&part(1), 1, WRONG_CODE, 9);
    drop(begin(3));
    fs::create_dir(parts.join("broken")).unwrap();
    fs::write(parts.join("broken/campaign.db"), "no database").unwrap();
    let again = Shard { part: 2, of: 3 };
    drop(shard(&parts.join("twice"), again));
    assert!(lines.any(|line| line == "event: update"));
    // A page that was made in the middle of this is renewed soon.
    let mut page = served.get("/");
    for _ in 0..100 {
        if page.contains("5 parts") && total(&page, "seeds") == 7 {
            break;
        }
        std::thread::sleep(Duration::from_millis(200));
        page = served.get("/");
    }
    assert_eq!(total(&page, "seeds"), 7, "{page}");
    assert_eq!(total(&page, "variants"), 9);
    assert!(page.contains("id=\"gcc-wrong-code-ftree-vrp\""), "{page}");
    assert!(page.contains("5 parts: "), "{page}");
    assert!(page.contains("2 cannot be read"), "{page}");
    assert!(page.contains("it is shard 2/3, and so is"), "{page}");
    assert!(!page.contains("missing"), "{page}");

    // Nothing of it was written to the parts, and nothing is left when it ends.
    let names = |directory: &Path| -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names
            .filter(|name| !name.starts_with("campaign.db-"))
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(&part(2)), ["campaign.db", "findings", "lock"]);
    drop(one);
}
