//! Byte offsets as lines and columns.

/// Where the lines of a text start.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    pub(crate) fn new(source: &[u8]) -> Lines {
        let after_newline = source
            .iter()
            .enumerate()
            .filter(|(_, b)| **b == b'\n')
            .map(|(at, _)| at as u32 + 1);
        Lines {
            starts: std::iter::once(0).chain(after_newline).collect(),
        }
    }

    /// Line and column of a byte, both from 1; columns count bytes.
    pub(crate) fn locate(&self, offset: u32) -> (usize, usize) {
        let line = self.starts.partition_point(|&start| start <= offset);
        (line, (offset - self.starts[line - 1]) as usize + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn lines_and_columns_count_from_one() {
        let lines = Lines::new(b"ab\n\ncd");
        let located: Vec<_> = (0..7).map(|at| lines.locate(at)).collect();
        assert_eq!(
            located,
            [(1, 1), (1, 2), (1, 3), (2, 1), (3, 1), (3, 2), (3, 3)]
        );
    }
}
