//! The names that a server answers to, and the one it tells people.
//!
//! A page elsewhere can give its own name our address, and then read what we answer under that
//! name. So only names count that nobody else can take: addresses and, where others may read,
//! the name of this machine.

use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

/// Where a server listens, as browsers may call it.
#[derive(Clone, Debug)]
pub(super) struct ServedNames {
    address: SocketAddr,
    /// What the machine calls itself, if others may read.
    machine: Option<String>,
}

impl ServedNames {
    pub(super) fn of(address: SocketAddr) -> ServedNames {
        let machine = fs::read_to_string("/proc/sys/kernel/hostname").ok();
        let machine = machine.map(|name| name.trim().to_owned());
        ServedNames {
            address,
            machine: machine.filter(|name| !name.is_empty() && !address.ip().is_loopback()),
        }
    }

    /// Whether the name in a request, with or without a port, is ours.
    pub(super) fn include(&self, host: &str) -> bool {
        let bare = host.rsplit_once(':').filter(|(name, port)| {
            let is_port = port.bytes().all(|byte| byte.is_ascii_digit());
            // `::1` has no port.
            is_port && (!name.contains(':') || name.ends_with(']'))
        });
        let name = bare.map_or(host, |(name, _)| name);
        let asked = name.trim_matches(['[', ']']).parse::<IpAddr>();
        let own = self.address.ip();
        let is_machine = |machine: &String| machine.eq_ignore_ascii_case(name);
        name == "localhost"
            || asked == Ok(own)
            || own.is_unspecified() && asked.is_ok()
            || self.machine.as_ref().is_some_and(is_machine)
    }

    /// What is said to those who come by another name.
    pub(super) fn advice(&self) -> String {
        let names = match &self.machine {
            Some(machine) => format!("the address of this machine, or {machine}"),
            None => format!("{} or localhost", self.address.ip()),
        };
        format!("use {names}: any other name could be that of a page elsewhere")
    }

    /// An address that a browser can be given: `0.0.0.0` is none.
    pub(super) fn shown(&self) -> SocketAddr {
        let mut shown = self.address;
        if shown.ip().is_unspecified() {
            shown.set_ip(outward(shown.ip()));
        }
        shown
    }
}

/// The address of this machine from which it would talk to others; its own for itself if it
/// talks to nobody.
fn outward(any: IpAddr) -> IpAddr {
    // These are for documents only, and nothing is sent there.
    let (far, near): (IpAddr, IpAddr) = match any {
        IpAddr::V4(_) => (
            Ipv4Addr::new(192, 0, 2, 1).into(),
            Ipv4Addr::LOCALHOST.into(),
        ),
        IpAddr::V6(_) => (
            Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into(),
            Ipv6Addr::LOCALHOST.into(),
        ),
    };
    let ask = || -> std::io::Result<IpAddr> {
        let socket = UdpSocket::bind(SocketAddr::new(any, 0))?;
        socket.connect(SocketAddr::new(far, 9))?;
        Ok(socket.local_addr()?.ip())
    };
    ask().unwrap_or(near)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(address: &str, machine: Option<&str>) -> ServedNames {
        ServedNames {
            address: address.parse().unwrap(),
            machine: machine.map(str::to_owned),
        }
    }

    #[test]
    fn the_machine_s_own_name_counts_where_others_may_read() {
        let open = names("0.0.0.0:8017", Some("vm"));
        for good in ["vm", "VM:8017", "10.0.0.7:8017", "[::1]:8017", "localhost"] {
            assert!(open.include(good), "{good}");
        }
        for bad in ["", "evil.example", "vm.evil.example:8017", "vmx"] {
            assert!(!open.include(bad), "{bad}");
        }
        assert!(open.advice().contains(" vm:"), "{}", open.advice());
    }

    #[test]
    fn a_server_for_this_machine_has_no_name_but_localhost() {
        let own = ServedNames::of("127.0.0.1:8017".parse().unwrap());
        assert_eq!(own.machine, None);
        assert!(own.include("127.0.0.1:8017") && own.include("localhost:8017"));
        assert!(!own.include("10.0.0.7:8017") && !own.include("vm:8017"));
        let six = names("[::1]:8017", None);
        assert!(six.include("[::1]:8017") && six.include("::1"));
    }

    #[test]
    fn an_address_that_is_shown_can_be_typed() {
        for any in ["0.0.0.0:8017", "[::]:8017"] {
            let shown = names(any, None).shown();
            assert!(!shown.ip().is_unspecified(), "{shown}");
            assert_eq!(shown.port(), 8017);
        }
        let own = names("127.0.0.1:80", None).shown();
        assert_eq!(own.to_string(), "127.0.0.1:80");
    }
}
