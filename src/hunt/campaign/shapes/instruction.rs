//! How long an instruction of x86-64 is, and what is left of it without registers and
//! numbers: its opcode, the width of its operands, and whether one is in memory.
//!
//! Bytes that are no instruction are taken for some. Nothing depends on that but which shapes
//! are told apart.

/// What is known of an instruction.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Instruction {
    pub(super) length: usize,
    /// The same for instructions that differ in registers and numbers only.
    pub(super) form: [u8; 4],
    /// Whether it may go on elsewhere.
    pub(super) ends_block: bool,
    /// Whether it does nothing.
    pub(super) is_padding: bool,
}

/// The tables of opcodes.
const ONE_BYTE: u8 = 0;
const TWO_BYTES: u8 = 1;
const THREE_BYTES: u8 = 2;
const THREE_BYTES_WITH_NUMBER: u8 = 3;

/// Prefixes that widen an operand or make another instruction of one.
#[derive(Default)]
struct Prefixes {
    short: bool,
    wide: bool,
    others: u8,
}

impl Instruction {
    /// The instruction at the start of some code; `None` if that ends within it.
    pub(super) fn at(code: &[u8]) -> Option<Instruction> {
        let mut with = Prefixes::default();
        let mut at = 0;
        loop {
            match *code.get(at)? {
                0x66 => with.short = true,
                0xf2 => with.others |= 1,
                0xf3 => with.others |= 2,
                0xf0 | 0x2e | 0x36 | 0x3e | 0x26 | 0x64 | 0x65 | 0x67 => {}
                _ => break,
            }
            at += 1;
        }
        let first = *code.get(at)?;
        let table = match first {
            0xc5 => {
                with.others |= 4 | *code.get(at + 1)? & 3;
                at += 2;
                TWO_BYTES
            }
            0xc4 | 0x62 => {
                let [one, two] = [*code.get(at + 1)?, *code.get(at + 2)?];
                with.others |= 4 | two & 3;
                with.wide = two & 0x80 != 0;
                at += if first == 0x62 { 4 } else { 3 };
                one & 3
            }
            _ => {
                if first & 0xf0 == 0x40 {
                    with.wide = first & 8 != 0;
                    at += 1;
                }
                match (*code.get(at)?, code.get(at + 1)) {
                    (0x0f, Some(0x38)) => {
                        at += 2;
                        THREE_BYTES
                    }
                    (0x0f, Some(0x3a)) => {
                        at += 2;
                        THREE_BYTES_WITH_NUMBER
                    }
                    (0x0f, _) => {
                        at += 1;
                        TWO_BYTES
                    }
                    _ => ONE_BYTE,
                }
            }
        };
        let opcode = *code.get(at)?;
        at += 1;
        let operand = if has_operand(table, opcode) {
            let byte = *code.get(at)?;
            at += operand_length(byte, code.get(at + 1).copied());
            Some(byte)
        } else {
            None
        };
        at += number_length(table, opcode, operand, &with);
        if at > code.len() {
            return None;
        }
        let part = operand.map_or(0, |byte| byte >> 3 & 7);
        let is_in_memory = operand.is_some_and(|byte| byte < 0xc0);
        let which = if is_group(table, opcode) { part } else { 0 };
        let width = u8::from(with.short) | u8::from(with.wide) << 1 | with.others << 2;
        Some(Instruction {
            length: at,
            form: [table << 4 | u8::from(is_in_memory), opcode, which, width],
            ends_block: ends_block(table, opcode, part),
            is_padding: (table, opcode) == (ONE_BYTE, 0x90) || (table, opcode) == (TWO_BYTES, 0x1f),
        })
    }
}

/// Whether a byte follows that names registers or a place in memory.
fn has_operand(table: u8, opcode: u8) -> bool {
    match (table, opcode) {
        (ONE_BYTE, 0..0x40) => opcode & 7 < 4,
        (ONE_BYTE, _) => matches!(
            opcode,
            0x63 | 0x69 | 0x6b | 0x80..=0x8f | 0xc0 | 0xc1 | 0xc6 | 0xc7 | 0xd0..=0xd3
                | 0xd8..=0xdf | 0xf6 | 0xf7 | 0xfe | 0xff
        ),
        (TWO_BYTES, _) => !matches!(
            opcode,
            0x05..=0x0b | 0x30..=0x37 | 0x77 | 0x80..=0x8f | 0xa0..=0xa2 | 0xa8..=0xaa
                | 0xc8..=0xcf
        ),
        _ => true,
    }
}

/// The length of such a byte with what it brings: a second one and an offset.
fn operand_length(byte: u8, next: Option<u8>) -> usize {
    let (mode, place) = (byte >> 6, byte & 7);
    let second = usize::from(mode != 3 && place == 4);
    let base = if second == 1 {
        next.unwrap_or(0) & 7
    } else {
        place
    };
    1 + second
        + match mode {
            0 if base == 5 => 4,
            1 => 1,
            2 => 4,
            _ => 0,
        }
}

/// The length of the number at the end.
fn number_length(table: u8, opcode: u8, operand: Option<u8>, with: &Prefixes) -> usize {
    let word = if with.short { 2 } else { 4 };
    let part = operand.map_or(0, |byte| byte >> 3 & 7);
    match (table, opcode) {
        (ONE_BYTE, 0..0x40) => match opcode & 7 {
            4 => 1,
            5 => word,
            _ => 0,
        },
        (ONE_BYTE, 0x68 | 0x69 | 0x81 | 0xa9 | 0xc7) => word,
        (ONE_BYTE, 0xb8..=0xbf) if with.wide => 8,
        (ONE_BYTE, 0xb8..=0xbf) => word,
        (ONE_BYTE, 0xa0..=0xa3) => 8,
        (ONE_BYTE, 0xc2) => 2,
        (ONE_BYTE, 0xc8) => 3,
        (ONE_BYTE, 0xe8 | 0xe9) => 4,
        (ONE_BYTE, 0xf6) => usize::from(part < 2),
        (ONE_BYTE, 0xf7) if part < 2 => word,
        (
            ONE_BYTE,
            0x6a
            | 0x6b
            | 0x70..=0x7f
            | 0x80
            | 0x82
            | 0x83
            | 0xa8
            | 0xb0..=0xb7
            | 0xc0
            | 0xc1
            | 0xc6
            | 0xcd
            | 0xe0..=0xe7
            | 0xeb,
        ) => 1,
        (TWO_BYTES, 0x80..=0x8f) => 4,
        (TWO_BYTES, 0x70..=0x73 | 0xa4 | 0xac | 0xba | 0xc2 | 0xc4..=0xc6) => 1,
        (THREE_BYTES_WITH_NUMBER, _) => 1,
        _ => 0,
    }
}

/// Whether a part of the operand's byte belongs to the opcode.
fn is_group(table: u8, opcode: u8) -> bool {
    match table {
        ONE_BYTE => matches!(
            opcode,
            0x80..=0x83 | 0xc0 | 0xc1 | 0xd0..=0xd3 | 0xd8..=0xdf | 0xf6 | 0xf7 | 0xfe | 0xff
        ),
        TWO_BYTES => matches!(opcode, 0x71..=0x73 | 0xba),
        _ => false,
    }
}

fn ends_block(table: u8, opcode: u8, part: u8) -> bool {
    match table {
        ONE_BYTE => {
            matches!(opcode, 0x70..=0x7f | 0xc2 | 0xc3 | 0xe0..=0xe3 | 0xe8 | 0xe9 | 0xeb)
                || opcode == 0xff && (2..=5).contains(&part)
        }
        TWO_BYTES => matches!(opcode, 0x80..=0x8f | 0x0b),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lengths of the instructions in some code, as `objdump` shows it.
    fn lengths(code: &[u8]) -> Vec<usize> {
        let (mut lengths, mut at) = (Vec::new(), 0);
        while let Some(instruction) = Instruction::at(&code[at..]) {
            lengths.push(instruction.length);
            at += instruction.length;
        }
        lengths
    }

    #[test]
    fn instructions_are_as_long_as_they_are() {
        let code: [&[u8]; 14] = [
            b"\x48\x83\xec\x18",                             // sub $0x18,%rsp
            b"\x8b\x05\x00\x00\x00\x00",                     // mov 0(%rip),%eax
            b"\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08",     // movabs
            b"\x66\xc7\x44\x24\x08\x01\x00",                 // movw $1,8(%rsp)
            b"\xc7\x84\x24\x80\x00\x00\x00\x01\x00\x00\x00", // movl $1,0x80(%rsp)
            b"\x0f\xb6\x04\x25\x00\x00\x00\x00",             // movzbl 0,%eax
            b"\xf6\x44\x24\x04\x01",                         // testb $1,4(%rsp)
            b"\xf7\xd8",                                     // neg %eax
            b"\xf2\x0f\x59\xc1",                             // mulsd %xmm1,%xmm0
            b"\xc5\xf9\xef\xc0",                             // vpxor
            b"\xc4\xe3\x79\x0f\xc1\x08",                     // vpalignr $8
            b"\x0f\x85\x00\x00\x00\x00",                     // jne
            b"\xe8\x00\x00\x00\x00",                         // call
            b"\xc3",                                         // ret
        ];
        let expected: Vec<usize> = code.iter().map(|bytes| bytes.len()).collect();
        assert_eq!(lengths(&code.concat()), expected);
    }

    #[test]
    fn forms_leave_out_registers_and_numbers() {
        let form = |code: &[u8]| Instruction::at(code).unwrap().form;
        assert_eq!(form(b"\x83\xc0\x01"), form(b"\x83\xc3\x07")); // add $1,%eax; add $7,%ebx
        assert_ne!(form(b"\x83\xc0\x01"), form(b"\x83\xe8\x01")); // sub
        assert_ne!(form(b"\x83\xc0\x01"), form(b"\x48\x83\xc0\x01")); // add $1,%rax
        assert_ne!(form(b"\x89\xc3"), form(b"\x89\x03")); // to a register, to memory
        assert!(Instruction::at(b"\xc3").unwrap().ends_block);
        assert!(Instruction::at(b"\x90").unwrap().is_padding);
    }
}
