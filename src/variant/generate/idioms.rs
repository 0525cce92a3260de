//! Idioms of several statements that optimisers look for: selections by `if`, counts of bits,
//! checksums, loops whose last value has a formula, memory that is filled, moved or put
//! together from bytes.
//!
//! A template begins with its locals. `x`, `y` and `z` are expressions of the program, `o` and
//! `q` variables of it, `a` and `b` arrays of `l` elements or more, `e` one of bytes; `T` and
//! `U` are types. An idiom is run as a whole and mended, or left out.

use super::Author;
use super::expr::Term;
use super::fill::{HoleFiller, fill_all};
use super::names::{Holder, KnownVariable};
use super::shapes::Holes;
use super::template::{TemplateExpr, TemplateKind};
use crate::code::ctype::Type;
use crate::code::expr::Expr;
use crate::code::stmt::Stmt;
use crate::code::types::{IntKind, Target};
use std::collections::BTreeMap;

/// The fewest elements of an array that an idiom uses.
pub(super) const LENGTH: u64 = 8;
/// How often an array that suits is looked for.
const TRIES: u32 = 8;

/// One a line; in a comment what it is about.
pub(super) const IDIOMS: &[&str] = &[
    // Selections by jumps: minima, maxima, signs, flags.
    "T t = x; if (t < c) t = c; if (t > d) t = d; o = t;",
    "T t = x; if (t > c) t = c; else if (t < d) t = d; o = t;",
    "T t = x; T u = y; T v = z; if (t < u) t = u; if (t > v) t = v; o = t;",
    "T t = x; if (t < 0) t = -t; o = t;",
    "T t = x; if (y != 0) t = -t; o = t;",
    "T t = x; if (y < z) t = t + c; o = t;",
    "T t = y; if (x == c) t = d; o = t;",
    "T t = x; if (x == y) t = y; o = t;",
    "T t = 0; if (x == 0) t = 1; o = t; q = t ^ y;",
    "T t = y; if (x != 0) t = x; o = t ^ z;",
    "T t = x; T u = y; T v = z; if (t > u) { v = t; t = u; u = v; } o = t - u; q = v;",
    "T t = 0; if (x < y) t = -1; else if (x > y) t = 1; o = t;",
    "T t = x; t = t + y; if (t < x) t = -1; o = t;",
    "u32 t = x; u32 u = y; t = t - u; if (t > u) t = 0; o = t;",
    "u8 t = x; u8 u = y; if (t + u > 255) t = 255; else t = t + u; o = t;",
    "if (x & p) { if (y & p) o = c; else o = d; } else o = z;",
    "if (x < y) { if (x < z) o = x; else o = z; } else { if (y < z) o = y; else o = z; }",
    "if (x & p) o = y | p; else o = y & ~p;",
    "if (x) o = c; else o = c + 1;",
    "T t = c; if (x > d) { t = d; if (y > d) t = x; } o = t;",
    "u32 t = x & 31; if (t == 3 || t == 7 || t == 12 || t == 17) o = y; else o = z;",
    "u32 t = x & 7; if (t == 1) o = k; else if (t == 2) o = k + j; else if (t == 3) o = k + 2 * j; else o = y;",
    "i32 t = x; if (t >= k) if (t < k + 4) o = y; if (t >= j) if (t <= k) q = z;",
    "if (x > c) o = y; if (x > c) q = z; if (x <= c) q = y;",
    "T t = x; T u = y; if (t == u) { o = t; q = u - t; } else { o = u; q = t - u; }",
    "T t = 0; T u = 0; t = -(x == c); u = -(t > d); o = -(t <= u);",
    "u64 t = 0; u64 u = 0; t = -(i64)(x == c); u = -(i64)(t > d); o = -(i64)(t <= u); q = t & u;",
    "T t = 0; T u = 0; t = -(x < y); u = -(y < z); o = t & z | ~t & x; q = (t & u) != 0;",
    // Bits that are counted or turned round.
    "T t = x; i32 u = 0; while (t) { t = t & t - 1; u++; } o = u;",
    "u32 t = x; i32 u = 0; while (t) { u += t & 1; t >>= 1; } o = u;",
    "u64 t = x; i32 u = 0; while (t) { u ^= t & 1; t >>= 1; } o = u;",
    "u32 t = x; i32 u = 0; while (t != 0 && !(t & 1)) { t >>= 1; u++; } o = u;",
    "T t = x; i32 u = 0; while (t > 1) { t >>= 1; u++; } o = u;",
    "u32 t = x; i32 u = 0; for (u = 0; u < 32; u++) if (t >> u & 1) break; o = u;",
    "u64 t = x; i32 u = 64; while (t) { t >>= 1; u--; } o = u;",
    "u16 t = x; i32 u = 0; while (!(t & 32768) && u < 16) { t <<= 1; u++; } o = u;",
    "u32 t = x; u32 u = 0; i32 i = 0; for (i = 0; i < 32; i++) { u = u << 1 | t & 1; t >>= 1; } o = u;",
    "u8 t = x; u8 u = 0; i32 i = 0; for (i = 0; i < 8; i++) { u = u << 1 | t & 1; t >>= 1; } o = u;",
    "u64 t = x; u64 u = 0; i32 i = 0; for (i = 0; i < 8; i++) { u = u << 8 | t & 255; t >>= 8; } o = u;",
    // Checksums.
    "u32 t = x; i32 i = 0; for (i = 0; i < 8; i++) { if (t & 1) t = t >> 1 ^ c; else t = t >> 1; } o = t;",
    "u16 t = x; i32 i = 0; for (i = 0; i < 8; i++) { if (t & 32768) t = t << 1 ^ 4129; else t = t << 1; } o = t;",
    "u8 t = x; u8 u = y; i32 i = 0; for (i = 0; i < 8; i++) { if ((t ^ u) & 1) t = t >> 1 ^ 140; else t >>= 1; u >>= 1; } o = t;",
    "u32 t = 0; i32 i = 0; for (i = 0; i < l; i++) t = (t << 5 | t >> 27) ^ a[i]; o = t;",
    "u32 t = 5381; i32 i = 0; for (i = 0; i < l; i++) t = t * 33 + a[i]; o = t;",
    // Loops whose last value has a formula.
    "T t = x; i32 i = 0; for (i = 0; i < k; i++) t = t + y; o = t;",
    "T t = x; i32 i = 0; for (i = 0; i < k; i++) t ^= y; o = t;",
    "T t = x; i32 i = 0; for (i = 0; i < k; i++) t = c - t; o = t;",
    "T t = x; i32 i = 0; for (i = 0; i < k; i++) t = t * j; o = t;",
    "T t = x; i32 i = 0; for (i = 0; i < k; i++) t = -t; o = t;",
    "T t = x; U i = 0; for (i = 0; i < k; i++) t = ~t + i; o = t;",
    "u32 t = x; U i = 0; for (i = k; i > 0; i--) t = t + i * i; o = t;",
    "u32 t = x; i32 i = 0; i32 u = 0; for (i = 0; i < k; i++) for (u = i; u < j; u++) t += i * u; o = t;",
    "u64 t = x; U i = 0; for (i = j; i < 100; i = i * 2 + 1) t = t * 3 + i; o = t; q = i;",
    "T t = x; U u = y; i32 i = 0; for (i = 0; i < k; i++) { t = u; u = z + i; } o = t; q = u;",
    "u32 t = x; u32 u = y; u32 v = 0; i32 i = 0; for (i = 0; i < k; i++) { v = t + u; t = u; u = v; } o = t;",
    "u32 t = 1; u32 u = x; u32 v = y & 15; while (v) { if (v & 1) t *= u; u *= u; v >>= 1; } o = t;",
    "u32 t = x; u32 u = 0; while (t) { u += t % 10; t /= 10; } o = u;",
    "u32 t = x & 4095; u32 u = 0; while (u * u <= t) u++; o = u;",
    "u8 t = x & 31; u32 u = y; while (t != 0) { u = u * 3 + t; t--; } o = u;",
    "i8 t = 0; u32 u = x; for (t = 127; t > 90; t -= k) u += t; o = u; q = t;",
    "T t = x; i32 i = 0; while (i < k) { i++; if (i == j) { t = t + c; break; } t = t ^ i; } o = t; q = i;",
    // Memory: filled, copied, moved, turned round, added up.
    "i32 i = 0; for (i = 0; i < l; i++) a[i] = y;",
    "i32 i = 0; for (i = 0; i < l; i++) a[i] = b[i];",
    "i32 i = 0; for (i = 1; i < l; i++) a[i] = a[i - 1];",
    "i32 i = 0; for (i = 0; i < l - 1; i++) a[i] = a[i + 1];",
    "i32 i = 0; for (i = l - 1; i > 0; i--) a[i] = a[i - 1];",
    "i32 i = 0; for (i = 2; i < l; i++) a[i] = a[i - 2] + y;",
    "T t = 0; i32 i = 0; for (i = 0; i < l / 2; i++) { t = a[i]; a[i] = a[l - 1 - i]; a[l - 1 - i] = t; }",
    "i32 i = 0; for (i = 1; i < l; i++) a[i] += a[i - 1];",
    "i32 i = 0; for (i = 0; i < l; i++) { a[i] = b[i]; b[i] = y; }",
    "i32 i = 0; for (i = 0; i < l; i++) { b[i] = i; a[i] = b[i] * k; }",
    "u32 t = 0; i32 i = 0; for (i = 0; i < l; i++) if (a[i] == y) t++; o = t;",
    "T t = 0; i32 u = 0; i32 i = 0; for (i = 0; i < l; i++) if (a[i] > t) { t = a[i]; u = i; } o = u; q = t;",
    "u32 t = 0; i32 i = 0; for (i = 0; i < l; i++) if (a[i] < b[i]) t = 1; o = t;",
    "i32 i = 0; for (i = 0; i < l; i++) if (a[i] != b[i]) break; o = i;",
    "u32 t = 0; i32 u = 0; i32 i = 0; for (i = 0; i < l; i++) { u = (u8)a[i] - (u8)b[i]; if (u < 0) u = -u; t += u; } o = t;",
    "u64 t = 0; i32 i = 0; for (i = 0; i < l; i++) t += (i16)a[i] * (i16)b[i]; o = t;",
    "u32 t = 0; u32 u = 0; i32 i = 0; for (i = 0; i + 1 < l; i += 2) { t += a[i]; u += a[i + 1]; } o = t - u;",
    "u32 t = 0; u32 u = 1; i32 i = 0; for (i = 0; i < l; i++) { t |= a[i]; u *= b[i] | 1; } o = t; q = u;",
    "i32 i = 0; for (i = 0; i < l; i++) a[i] = ((u8)a[i] + (u8)b[i] + 1) >> 1;",
    "i32 u = 0; i32 i = 0; for (i = 0; i < l; i++) { u = (u8)a[i] + (u8)b[i]; if (u > 255) u = 255; a[i] = u; }",
    "i32 i = 0; for (i = 0; i < l; i++) if (b[i] > y) a[i] = z;",
    "i32 i = 0; for (i = 0; i < l; i++) a[i] = b[i] < y ? b[i] : z;",
    "i32 i = 0; for (i = 0; i < l; i++) b[a[i] & 7] += 1;",
    "i32 i = 0; for (i = 0; i < l; i++) a[i] = b[i * k & 7];",
    "i32 i = 0; for (i = 0; i + 1 < l; i += 2) { a[i] = b[i + 1]; a[i + 1] = b[i]; }",
    "i32 i = 0; for (i = 0; i + 1 < l; i += 2) { a[i] = b[i] + y; a[i + 1] = b[i + 1] - z; }",
    "i32 i = 0; for (i = 0; i + 3 < l; i += 4) { a[i] = x; a[i + 1] = y; a[i + 2] = x; a[i + 3] = z; }",
    "a[0] = b[0] + x; a[1] = b[1] + x; a[2] = b[2] + x; a[3] = b[3] + x;",
    "a[0] = b[3] ^ c; a[1] = b[2] ^ c; a[2] = b[1] ^ c; a[3] = b[0] ^ c;",
    "a[0] = x; a[1] = x; a[2] = y; a[3] = y; a[4] = x; a[5] = 0; a[6] = 0; a[7] = 0;",
    "a[0] = c; a[1] = d; a[2] = c; a[3] = d; o = a[1] - a[2];",
    "a[1] = b[0] * k + b[1]; a[2] = b[2] * k + b[3]; o = a[1] > a[2] ? a[1] : a[2];",
    "u32 t = 0; t = a[0] + a[1] + a[2] + a[3] + a[4] + a[5] + a[6] + a[7]; o = t;",
    "a[2] = x; b[2] = y; o = a[2] + b[2]; a[2] = z; q = a[2] - b[2];",
    "T t = x; T v = y; i32 u = 0; for (u = 0; u < 2; u++) { a[u * 4] = t; a[u * 4 + 1] = t; a[u * 4 + 2] = v; a[u * 4 + 3] = v; t += k; v += j; }",
    "T t = x; T v = y; i32 u = 0; for (u = 0; u < 4; u++) { a[u * 2] = t; a[u * 2 + 1] = v; t += k; v += j; } o = t - v;",
    "i32 u = 0; for (u = 0; u < 4; u++) { if (a[u * 2]) o = c; if (a[u * 2 + 1]) o = d; }",
    "u32 t = 0; u32 v = 0; i32 u = 0; for (u = 0; u < 4; u++) { t += a[u * 2]; v += a[u * 2 + 1]; } if (t < c || t > d) o = v; q = t;",
    "T t = x; i32 u = 0; for (u = 0; u < k; u++) t = t * t; o = t;",
    "T t = 0; T v = 0; i32 u = 0; for (u = 0; u < l / 2; u++) { t += a[u * 2]; v += a[u * 2 + 1]; } if (t < c || t > d) o = v; q = t;",
    "T t = 0; i32 u = 0; for (u = 0; u < l / 2; u++) { if (a[u * 2]) t = c; if (a[u * 2 + 1]) t = d; } o = t;",
    "T t = 0; T v = 0; i32 u = 0; for (u = 0; u < l / 2; u++) { t = c; v = d; if (a[u * 2 + 1]) t = b[u * 2]; if (a[u * 2]) v = b[u * 2 + 1]; a[u * 2] = v; a[u * 2 + 1] = t; }",
    "i32 u = 0; for (u = 1; u < l; u++) { b[u] = 0; a[u] = 0; if (x) b[u] = 1; a[u] = a[u - 1]; }",
    "i32 u = 0; for (u = 0; u < l; u++) { o = a[u]; a[u] = b[u]; b[u] = o; }",
    "i32 u = 0; i32 i = 0; for (i = 0; i < 2; i++) for (u = 1; u >= 0; u--) { a[u * 2 + 1] = 0; a[i + u] ^= 1; a[u * 2 + 2] = y; }",
    "i32 u = 0; for (u = 0; u < l; u++) if (a[u] > b[u]) b[a[u] & 7] = u;",
    // Sets of bits.
    "e[x >> 3 & 7] &= ~(1 << (x & 7)); o = e[y >> 3 & 7] >> (y & 7) & 1;",
    "e[x >> 3 & 7] |= 1 << (x & 7); if (e[y >> 3 & 7] & 1 << (y & 7)) o = z;",
    "u32 t = x; t ^= 1 << (y & 31); if (t & 1 << (z & 31)) q = t; o = t;",
    // Numbers taken apart into bytes and put together.
    "u32 t = x; e[0] = t; e[1] = t >> 8; e[2] = t >> 16; e[3] = t >> 24;",
    "u32 t = x; e[3] = t; e[2] = t >> 8; e[1] = t >> 16; e[0] = t >> 24;",
    "u64 t = x; e[0] = t >> 56; e[1] = t >> 48; e[2] = t >> 40; e[3] = t >> 32; e[4] = t >> 24; e[5] = t >> 16; e[6] = t >> 8; e[7] = t;",
    "u32 t = 0; t = (u32)e[0] | (u32)e[1] << 8 | (u32)e[2] << 16 | (u32)e[3] << 24; o = t;",
    "u32 t = 0; t = (u32)e[3] | (u32)e[2] << 8 | (u32)e[1] << 16 | (u32)e[0] << 24; o = t;",
    "u64 t = 0; t = (u64)e[7] | (u64)e[6] << 8 | (u64)e[5] << 16 | (u64)e[4] << 24 | (u64)e[3] << 32 | (u64)e[2] << 40 | (u64)e[1] << 48 | (u64)e[0] << 56; o = t;",
    "u16 t = 0; t = e[1] << 8 | e[0]; o = t; q = (i16)t;",
    "u32 t = x; e[0] = t; e[1] = t >> 8; o = e[0] | e[1] << 8; e[2] = 0; e[3] = 0;",
    "u64 t = 0; i32 i = 0; for (i = 0; i < 8; i++) t |= (u64)e[i] << 8 * i; o = t;",
    "u64 t = x; i32 i = 0; for (i = 0; i < 8; i++) e[i] = t >> 8 * i;",
];

/// What the letters of an idiom stand for.
struct IdiomHoles {
    plain: Holes,
    variables: BTreeMap<u8, Holder>,
    arrays: BTreeMap<u8, KnownVariable>,
    /// As many elements as every array has.
    length: u64,
}

/// An author who fills the holes of an idiom. Locals are written at once.
struct IdiomFiller<'f, 'r> {
    author: &'f mut Author<'r>,
    holes: &'f mut IdiomHoles,
}

impl HoleFiller for IdiomFiller<'_, '_> {
    fn leaf(&mut self, letter: u8) -> Option<Expr> {
        self.author.idiom_leaf(letter, self.holes)
    }

    fn array(&mut self, letter: u8) -> Option<Expr> {
        self.author.idiom_array(letter, self.holes)
    }

    fn kind(&mut self, kind: TemplateKind) -> IntKind {
        self.author.hole_kind(kind, &mut self.holes.plain)
    }

    fn local(&mut self, kind: TemplateKind, letter: u8, start: &TemplateExpr) -> Option<()> {
        let start = self.author.filled(start, &mut self.holes.plain);
        let kind = self.kind(kind);
        let local = self.author.start_local(kind, start, false);
        self.holes.variables.insert(letter, local);
        Some(())
    }

    fn target(&self) -> Target {
        self.author.target()
    }
}

impl Author<'_> {
    /// An idiom over what the program has.
    pub(super) fn idiom(&mut self) {
        let mark = self.bookmark();
        let template = self.template(IDIOMS);
        let terms = [(); 3].map(|()| self.varying_expression());
        let mut holes = IdiomHoles {
            plain: Holes::new(terms),
            variables: BTreeMap::new(),
            arrays: BTreeMap::new(),
            length: u64::MAX,
        };
        let written = template.statements().and_then(|statements| {
            let mut filler = IdiomFiller {
                author: self,
                holes: &mut holes,
            };
            let items = fill_all(&statements, &mut filler)?;
            self.try_run(Stmt::Block(items))
        });
        match written {
            Some(Stmt::Block(items)) => items.into_iter().for_each(|stmt| self.push_whole(stmt)),
            _ => self.go_back(&mark),
        }
    }

    /// A small expression that is no constant, if one is found quickly.
    fn varying_expression(&mut self) -> Term {
        let mut term = self.small_expression();
        for _ in 0..TRIES {
            let mut varies = false;
            term.expr.for_each_var(&mut |_| varies = true);
            if varies {
                break;
            }
            term = self.small_expression();
        }
        term
    }

    /// Adds a statement whose parts were not counted yet.
    fn push_whole(&mut self, stmt: Stmt) {
        self.spend(stmt.size() as i64);
        self.push(stmt);
    }

    fn idiom_leaf(&mut self, letter: u8, holes: &mut IdiomHoles) -> Option<Expr> {
        if let Some(variable) = holes.variables.get(&letter) {
            return Some(variable.expr.clone());
        }
        match letter {
            b'o' | b'q' => {
                // Not one of the idiom's own.
                let variable = (0..TRIES).find_map(|_| {
                    let variable = self.plain_holder()?;
                    let mut taken = holes.variables.values();
                    (!taken.any(|taken| taken.expr == variable.expr)).then_some(variable)
                })?;
                let expr = variable.expr.clone();
                holes.variables.insert(letter, variable);
                Some(expr)
            }
            // The arrays are drawn first if their length is asked for first.
            b'l' => {
                for letter in [b'a', b'b'] {
                    self.idiom_array(letter, holes)?;
                }
                Some(Expr::int(holes.length.min(64) as i32))
            }
            _ => Some(self.hole(letter, &mut holes.plain).expr),
        }
    }

    fn idiom_array(&mut self, letter: u8, holes: &mut IdiomHoles) -> Option<Expr> {
        if let Some(array) = holes.arrays.get(&letter) {
            return Some(array.expr());
        }
        let suits = |array: &KnownVariable, len: u64| match &array.ty {
            Type::Array { of, .. } => {
                let is_byte = of.int_kind() == Some(IntKind::UChar);
                len >= LENGTH && (letter != b'e' || is_byte)
            }
            _ => false,
        };
        let (array, len) = (0..TRIES).find_map(|_| {
            let (array, len) = self.some_array()?;
            suits(&array, len).then_some((array, len))
        })?;
        holes.length = holes.length.min(len);
        let expr = array.expr();
        holes.arrays.insert(letter, array);
        Some(expr)
    }
}

#[cfg(test)]
mod tests {
    use super::super::template::Template;
    use super::*;

    #[test]
    fn every_idiom_is_a_list_of_statements() {
        for text in IDIOMS {
            assert!(Template::new(text).statements().is_some(), "{text}");
        }
    }
}
