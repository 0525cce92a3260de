//! What Csmith is asked for.

use super::seed_number;
use rand::Rng;
use rand::seq::IndexedRandom;

/// A random choice of features and sizes: programs that use every feature look alike.
///
/// Packed structs are never made (a pointer to a member may be misaligned, which is
/// undefined). Global variables are always made: a checksum is made of nothing else. Builtin
/// functions are made now and then only: `__builtin_clz(0)` is undefined, so sanitizers refuse
/// some of these programs, and tcc has no such functions. Also the number of the program.
pub(super) fn options(rng: &mut impl Rng) -> (Vec<String>, String) {
    let seed = seed_number(rng).to_string();
    const SWITCHES: [&str; 17] = [
        "--no-argc",
        "--no-arrays",
        "--no-bitfields",
        "--no-comma-operators",
        "--no-compound-assignment",
        "--no-const-pointers",
        "--no-consts",
        "--no-divs",
        "--no-embedded-assigns",
        "--no-jumps",
        "--no-longlong",
        "--no-math64",
        "--no-muls",
        "--no-pointers",
        "--no-structs",
        "--no-unions",
        "--no-volatiles",
    ];
    const SIZES: [(&str, &[u32]); 8] = [
        ("--max-funcs", &[2, 4, 6, 8, 12]),
        ("--max-block-depth", &[2, 3, 4, 6]),
        ("--max-block-size", &[2, 3, 5, 6]),
        ("--max-expr-complexity", &[3, 5, 7, 12]),
        ("--max-array-dim", &[1, 2, 4]),
        ("--max-array-len-per-dim", &[3, 5, 8]),
        ("--max-struct-fields", &[3, 5, 7]),
        ("--max-pointer-depth", &[1, 3]),
    ];
    let mut words = vec!["--no-packed-struct".to_owned(), "--concise".into()];
    for switch in SWITCHES {
        if rng.random_bool(0.15) {
            words.push(switch.into());
        }
    }
    if rng.random_bool(0.25) {
        words.push("--inline-function".into());
    }
    for (option, sizes) in SIZES {
        if rng.random_bool(0.3)
            && let Some(size) = sizes.choose(rng)
        {
            words.extend([option.to_owned(), size.to_string()]);
        }
    }
    if rng.random_bool(0.1) {
        words.push("--builtins".into());
    }
    (words, seed)
}
