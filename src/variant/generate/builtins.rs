//! Builtin functions of gcc and clang, in expressions and on memory.

use super::Author;
use super::expr::Term;
use super::names::KnownVariable;
use crate::code::builtin::{Builtin, MemoryOp, Wide};
use crate::code::ctype::Type;
use crate::code::eval::operator;
use crate::code::expr::Expr;
use crate::code::op::BinaryOp;
use crate::code::stmt::Stmt;
use crate::code::types::IntKind;
use rand::Rng;

/// What stands in for the builtins in compilers that have none of them.
pub(super) const STAND_INS: &str = "\
#ifdef __TINYC__
extern void *memcpy(void *, const void *, unsigned long);
extern void *memmove(void *, const void *, unsigned long);
extern void *memset(void *, int, unsigned long);
extern int memcmp(const void *, const void *, unsigned long);
#define __builtin_memcpy memcpy
#define __builtin_memmove memmove
#define __builtin_memset memset
#define __builtin_memcmp memcmp
#define __builtin_expect(value, expected) ((long)(value))
#define __builtin_unreachable() ((void)0)
static int __builtin_popcountl(unsigned long x) { int n = 0; while (x) { n += x & 1; x >>= 1; } return n; }
static int __builtin_ctzl(unsigned long x) { int n = 0; while (!(x & 1)) { n++; x >>= 1; } return n; }
static int __builtin_clzl(unsigned long x) { int n = 0; while (!(x >> 63)) { n++; x <<= 1; } return n; }
static int __builtin_ffsl(long x) { return x ? __builtin_ctzl(x) + 1 : 0; }
static int __builtin_popcount(unsigned x) { return __builtin_popcountl(x); }
static int __builtin_parityl(unsigned long x) { return __builtin_popcountl(x) & 1; }
static int __builtin_parity(unsigned x) { return __builtin_popcountl(x) & 1; }
static int __builtin_ctz(unsigned x) { return __builtin_ctzl(x); }
static int __builtin_clz(unsigned x) { return __builtin_clzl(x) - 32; }
static int __builtin_ffs(int x) { return x ? __builtin_ctzl((unsigned)x) + 1 : 0; }
static int __builtin_abs(int x) { return x < 0 ? -x : x; }
static long __builtin_labs(long x) { return x < 0 ? -x : x; }
static unsigned short __builtin_bswap16(unsigned short x) { return x >> 8 | x << 8; }
static unsigned __builtin_bswap32(unsigned x) { return x >> 24 | (x >> 8 & 65280) | (x & 65280) << 8 | x << 24; }
static unsigned long __builtin_bswap64(unsigned long x)
{
    return (unsigned long)__builtin_bswap32(x) << 32 | __builtin_bswap32(x >> 32);
}
#endif

";

impl Author<'_> {
    /// A builtin function of a term.
    pub(super) fn builtin(&mut self, operand: Term) -> Term {
        let wide = operand.numbers.kind.bits(self.target()) == 64;
        let wide = if wide || self.percent(10) {
            Wide::Long
        } else {
            Wide::Int
        };
        let all = [
            Builtin::Clz(wide),
            Builtin::Ctz(wide),
            Builtin::Popcount(wide),
            Builtin::Parity(wide),
            Builtin::Ffs(wide),
            Builtin::Abs(wide),
            Builtin::Bswap16,
            Builtin::Bswap32,
            Builtin::Bswap64,
        ];
        let builtin = all[self.dice.random_range(0..all.len())];
        if let Some(term) = self.apply_builtin(builtin, &operand) {
            return term;
        }
        // Not for 0, and not for the smallest number.
        let one = self.literal(IntKind::Int, 1);
        let bent = match builtin {
            Builtin::Abs(_) => self.apply(BinaryOp::Shr, &operand, &one),
            _ => self.apply(BinaryOp::BitOr, &operand, &one),
        };
        let bent = bent.and_then(|bent| self.apply_builtin(builtin, &bent));
        bent.unwrap_or(operand)
    }

    fn apply_builtin(&self, builtin: Builtin, operand: &Term) -> Option<Term> {
        let numbers = operator::builtin(self.target(), builtin, &operand.numbers)?.ok()?;
        Some(Term {
            expr: Expr::builtin(builtin, vec![operand.expr.clone()]),
            numbers,
        })
    }

    /// Copies, fills or compares arrays by a function on memory.
    pub(super) fn memory_statement(&mut self) {
        let Some((to, len)) = self.some_array() else {
            return self.assign();
        };
        let Type::Array { of, .. } = &to.ty else {
            return;
        };
        let of = (**of).clone();
        let count = self.dice.random_range(1..=len as u32);
        let start =
            |named: &KnownVariable, at: u32| named.expr().index(Expr::int(at as i32)).address_of();
        let at = self.dice.random_range(0..=len as u32 - count);
        let expr = match self.dice.random_range(0..4) {
            0 => {
                let byte = Expr::int(self.dice.random_range(0..=255));
                Expr::memory(MemoryOp::Set, start(&to, at), byte, of, count)
            }
            1 => {
                let from = self.dice.random_range(0..=len as u32 - count);
                Expr::memory(MemoryOp::Move, start(&to, at), start(&to, from), of, count)
            }
            _ => {
                let Some((from, other)) = self.array_like(&to, count) else {
                    return self.assign();
                };
                let other = self.dice.random_range(0..=other as u32 - count);
                Expr::memory(
                    MemoryOp::Copy,
                    start(&to, at),
                    start(&from, other),
                    of,
                    count,
                )
            }
        };
        if let Some(stmt) = self.try_run(Stmt::Expr(expr)) {
            self.push(stmt);
        }
    }

    /// Another array of the same elements that is long enough, with its length.
    fn array_like(&mut self, array: &KnownVariable, count: u32) -> Option<(KnownVariable, u64)> {
        let Type::Array { of, .. } = &array.ty else {
            return None;
        };
        let mut others = self.globals.iter().map(|global| &global.named);
        others.find_map(|named| match &named.ty {
            Type::Array { of: other, len } if other == of && *len >= u64::from(count) => {
                (named.name != array.name).then(|| (named.clone(), *len))
            }
            _ => None,
        })
    }
}
