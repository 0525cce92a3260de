//! Pointer values, and the carriers that stand for them in columns.

use serde::{Deserialize, Serialize};

/// Where an object stands in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ObjectId(pub u32);

/// A pointer value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pointer {
    /// The null pointer.
    Null,
    /// Neither null nor to a known object: it can be copied, but neither
    /// dereferenced nor compared.
    Unknown,
    /// A pointer to a cell of a known object.
    To {
        /// The object.
        object: ObjectId,
        /// The first cell of what is pointed to.
        cell: u32,
    },
    /// A pointer past the last element of an array: it can be compared and
    /// moved back.
    End {
        /// The object.
        object: ObjectId,
        /// The cell after the array's last, which may belong to something else.
        cell: u32,
    },
    /// A pointer to a function, by a number made of its name.
    Function(i64),
}

const UNKNOWN: i64 = -1;

/// Marks the cell of an [`Pointer::End`]; no object has so many cells.
const END: u32 = 1 << 31;

impl Pointer {
    /// The carrier that stands for the pointer in a column.
    pub fn encode(self) -> i64 {
        match self {
            Pointer::Null => 0,
            Pointer::Unknown => UNKNOWN,
            Pointer::To { object, cell } => (i64::from(object.0) + 1) << 32 | i64::from(cell),
            Pointer::End { object, cell } => {
                (i64::from(object.0) + 1) << 32 | i64::from(cell | END)
            }
            Pointer::Function(number) => number,
        }
    }

    /// The pointer to a function.
    pub fn function(name: &str) -> Pointer {
        // FNV-1a: the same on every machine.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        // Negative, unlike pointers to objects; even, unlike one that is unknown.
        Pointer::Function((hash << 1 | 1 << 63) as i64)
    }

    /// The pointer that a carrier stands for.
    pub(crate) fn decode(carrier: i64) -> Pointer {
        match carrier {
            0 => Pointer::Null,
            UNKNOWN => Pointer::Unknown,
            ..0 => Pointer::Function(carrier),
            _ => {
                let object = ObjectId((carrier >> 32) as u32 - 1);
                let cell = carrier as u32 & !END;
                if carrier as u32 & END != 0 {
                    Pointer::End { object, cell }
                } else {
                    Pointer::To { object, cell }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_survive_their_encoding() {
        let (object, cell) = (ObjectId(7), END - 1);
        let far = [
            Pointer::To { object, cell },
            Pointer::End { object, cell },
            Pointer::function("f"),
        ];
        for pointer in [Pointer::Null, Pointer::Unknown].into_iter().chain(far) {
            assert_eq!(Pointer::decode(pointer.encode()), pointer);
        }
    }
}
