//! Arithmetic of integers that are not promoted, such as the lanes of vectors: in
//! exactly the bits that they have.

use super::super::op::BinaryOp;
use super::super::plan::Width;
use super::super::trouble::Undefined;
use super::super::value::wrap;
use super::kernel::FirstUndefined;

/// All operators, comparisons too.
pub(super) fn binary(
    op: BinaryOp,
    width: Width,
    left: &[i64],
    right: &[i64],
) -> Result<Vec<i64>, FirstUndefined> {
    let pairs = left.iter().zip(right).enumerate();
    let results = pairs.map(|(row, (left, right))| {
        let result = one(op, width, width.math(*left), width.math(*right));
        result.map_err(|undefined| FirstUndefined { undefined, row })
    });
    results.collect()
}

fn one(op: BinaryOp, width: Width, left: i128, right: i128) -> Result<i64, Undefined> {
    let Width { bits, signed } = width;
    let fitting = |result: i128| {
        if signed && !width.holds(result) {
            return Err(Undefined::SignedOverflow);
        }
        Ok(wrap(result as i64, bits, signed))
    };
    let truth = |holds: bool| Ok(i64::from(holds));
    match op {
        BinaryOp::Add => fitting(left + right),
        BinaryOp::Sub => fitting(left - right),
        // The lower bits are right also where the product of unsigned numbers is too large.
        BinaryOp::Mul => fitting(left.wrapping_mul(right)),
        BinaryOp::Div | BinaryOp::Rem if right == 0 => Err(Undefined::DivisionByZero),
        BinaryOp::Div => fitting(left / right),
        BinaryOp::Rem => {
            fitting(left / right)?;
            fitting(left % right)
        }
        BinaryOp::Shl | BinaryOp::Shr if right < 0 => Err(Undefined::ShiftCountNegative),
        BinaryOp::Shl | BinaryOp::Shr if right >= i128::from(bits) => {
            Err(Undefined::ShiftCountTooLarge)
        }
        BinaryOp::Shl if left < 0 => Err(Undefined::ShiftOfNegative),
        BinaryOp::Shl => fitting(left << right).map_err(|_| Undefined::ShiftOverflow),
        BinaryOp::Shr => fitting(left >> right),
        BinaryOp::BitAnd => fitting(left & right),
        BinaryOp::BitOr => fitting(left | right),
        BinaryOp::BitXor => fitting(left ^ right),
        BinaryOp::Lt => truth(left < right),
        BinaryOp::Le => truth(left <= right),
        BinaryOp::Gt => truth(left > right),
        BinaryOp::Ge => truth(left >= right),
        BinaryOp::Eq => truth(left == right),
        BinaryOp::Ne => truth(left != right),
    }
}
