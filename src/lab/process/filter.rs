//! System calls that a program under test does not get: those that reach beyond its
//! own processes and files in ways that Landlock does not know.
//!
//! They fail with `EPERM`. A denied call is told by its number, and programs for
//! another mode of the same processor, as `-m32` makes them, number theirs otherwise.

#![allow(unsafe_code)]

use libc::{c_long, sock_filter, sock_fprog};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static ALLOWS_NETWORK: AtomicBool = AtomicBool::new(false);

/// Lets programs under test open sockets, for the rest of the process's life.
pub(super) fn allow_network() {
    ALLOWS_NETWORK.store(true, Ordering::Relaxed);
}

/// Installs the filter for this thread and whatever it starts. The thread must not be
/// able to gain privileges any more; where it cannot be installed, nothing happens.
pub(super) fn install() {
    static WITHOUT_NETWORK: OnceLock<Vec<sock_filter>> = OnceLock::new();
    static WITH_NETWORK: OnceLock<Vec<sock_filter>> = OnceLock::new();
    let program = if ALLOWS_NETWORK.load(Ordering::Relaxed) {
        WITH_NETWORK.get_or_init(|| program(true))
    } else {
        WITHOUT_NETWORK.get_or_init(|| program(false))
    };
    let Ok(len) = u16::try_from(program.len()) else {
        return;
    };
    let program = sock_fprog {
        len,
        filter: program.as_ptr().cast_mut(),
    };
    // SAFETY: the kernel copies the program, which lives through the call, and checks it.
    unsafe {
        libc::prctl(
            libc::PR_SET_SECCOMP,
            libc::SECCOMP_MODE_FILTER as libc::c_ulong,
            &raw const program,
        )
    };
}

/// How one mode of a processor numbers its system calls.
struct CallNumbers {
    /// Its name in the kernel's audit interface.
    arch: u32,
    /// Calls from here on belong to a third mode, which nobody uses.
    end: Option<u32>,
    /// Mode, owner, times and attributes of files, which Landlock leaves alone; memory
    /// and queues that are known by number or name; keys; priorities of others; and the
    /// ring, which does any of these and opens sockets.
    denied: &'static [&'static [c_long]],
    sockets: &'static [c_long],
    /// Sets limits of any process: allowed for the caller alone, which is number zero.
    prlimit: c_long,
    /// Types into the terminal, if asked with [`TYPING`].
    ioctl: c_long,
}

/// `TIOCSTI` and `TIOCLINUX`.
const TYPING: [u32; 2] = [0x5412, 0x541c];

/// The denied calls that every 64-bit processor has.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const EVERYWHERE: &[c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_io_uring_setup,
];

#[cfg(target_arch = "x86_64")]
const MODES: &[CallNumbers] = &[
    CallNumbers {
        arch: 0xc000_003e,
        end: Some(0x4000_0000),
        denied: &[
            EVERYWHERE,
            // These came before their forms with a directory.
            &[
                libc::SYS_chmod,
                libc::SYS_chown,
                libc::SYS_lchown,
                libc::SYS_utime,
                libc::SYS_utimes,
                libc::SYS_futimesat,
            ],
        ],
        sockets: &[libc::SYS_socket],
        prlimit: libc::SYS_prlimit64,
        ioctl: libc::SYS_ioctl,
    },
    // The same in 32-bit mode. `ipc` and `socketcall` do what several calls do above.
    CallNumbers {
        arch: 0x4000_0003,
        end: None,
        denied: &[&[
            15, 94, 306, 452, 182, 95, 198, 212, 207, 16, 298, 30, 271, 299, 320, 412, 226, 227,
            228, 235, 236, 237, 117, 395, 397, 396, 399, 402, 393, 394, 277, 278, 286, 287, 288,
            97, 289, 425,
        ]],
        sockets: &[102, 359],
        prlimit: 340,
        ioctl: 54,
    },
];

#[cfg(target_arch = "aarch64")]
const MODES: &[CallNumbers] = &[CallNumbers {
    arch: 0xc000_00b7,
    end: None,
    denied: &[EVERYWHERE],
    sockets: &[libc::SYS_socket],
    prlimit: libc::SYS_prlimit64,
    ioctl: libc::SYS_ioctl,
}];

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const MODES: &[CallNumbers] = &[];

/// Where the kernel puts what a filter reads.
const NUMBER: u32 = 0;
const ARCH: u32 = 4;
const FIRST_ARGUMENT: u32 = 16;
const SECOND_ARGUMENT: u32 = 24;

/// The filter: for each mode its section, which the other modes jump over.
fn program(allows_network: bool) -> Vec<sock_filter> {
    let mut program = Vec::new();
    for mode in MODES {
        let section = section(mode, allows_network);
        program.push(load(ARCH));
        program.push(jump_unless_equal(mode.arch, section.len()));
        program.extend(section);
    }
    program.push(allow());
    program
}

fn section(mode: &CallNumbers, allows_network: bool) -> Vec<sock_filter> {
    let mut section = vec![load(NUMBER)];
    if let Some(end) = mode.end {
        section.extend([jump_unless_below(end), deny()]);
    }
    let sockets = if allows_network { &[] } else { mode.sockets };
    for &number in mode.denied.concat().iter().chain(sockets) {
        section.extend([jump_unless_equal(number as u32, 1), deny()]);
    }
    section.extend([
        jump_unless_equal(mode.prlimit as u32, 4),
        load(FIRST_ARGUMENT),
        jump_unless_equal(0, 1),
        allow(),
        deny(),
    ]);
    section.extend([
        jump_unless_equal(mode.ioctl as u32, 5),
        load(SECOND_ARGUMENT),
        jump_unless_equal(TYPING[0], 1),
        deny(),
        jump_unless_equal(TYPING[1], 1),
        deny(),
    ]);
    section.push(allow());
    section
}

fn load(offset: u32) -> sock_filter {
    instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset)
}

fn allow() -> sock_filter {
    instruction(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ALLOW)
}

fn deny() -> sock_filter {
    let failure = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
    instruction(libc::BPF_RET | libc::BPF_K, failure)
}

/// Passes over so many instructions unless the loaded word is this one.
fn jump_unless_equal(word: u32, over: usize) -> sock_filter {
    sock_filter {
        jf: u8::try_from(over).expect("sections are short"),
        ..instruction(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, word)
    }
}

/// Passes over the next instruction if the loaded word is below this one.
fn jump_unless_below(word: u32) -> sock_filter {
    sock_filter {
        jf: 1,
        ..instruction(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, word)
    }
}

fn instruction(code: u32, k: u32) -> sock_filter {
    sock_filter {
        code: code as u16,
        jt: 0,
        jf: 0,
        k,
    }
}
