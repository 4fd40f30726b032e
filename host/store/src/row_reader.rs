//! The rows of a run lie in `measurements.csv`, and nowhere else. What is kept in memory is which lines are
//! whose; numbers are read from the file when a figure needs them, a few columns of one cell at a time.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use assay_base::io::csv_lines::{cells, complete, number};

/// Consecutive repetitions of one algorithm and pattern length, in consecutive lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// Where in the file the first begins.
    pub offset: u64,
    /// How long they are together.
    pub bytes: u32,
    /// The first repetition.
    pub first: u32,
    /// How many there are.
    pub count: u32,
}

impl Lines {
    /// One more than the number of the last repetition.
    pub fn end(&self) -> u32 {
        self.first.saturating_add(self.count)
    }
}

/// Where the rows of one algorithm and pattern length are, in the order of their repetitions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    lines: Vec<Lines>,
    count: usize,
}

impl Rows {
    /// Adds lines.
    pub fn push(&mut self, lines: Lines) {
        // Nearly always the end.
        let place = self.lines.partition_point(|other| other.first <= lines.first);
        self.lines.insert(place, lines);
        self.count += lines.count as usize;
    }

    /// The lines, in the order of their repetitions.
    pub fn lines(&self) -> &[Lines] {
        &self.lines
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// One more than the number of the last repetition.
    pub fn end(&self) -> usize {
        self.lines.last().map_or(0, |lines| lines.end() as usize)
    }

    /// The numbers of the repetitions, ascending.
    pub fn repetitions(&self) -> impl Iterator<Item = u32> {
        self.lines.iter().flat_map(|lines| lines.first..lines.end())
    }

    /// For each repetition, in their order: where in the file the lines begin that it was measured with.
    pub fn offsets(&self) -> impl Iterator<Item = u64> {
        self.lines.iter().flat_map(|lines| std::iter::repeat_n(lines.offset, lines.count as usize))
    }

    /// A repetition that is there twice.
    pub fn twice(&self) -> Option<u32> {
        self.lines.windows(2).find(|pair| pair[1].first < pair[0].end()).map(|pair| pair[1].first)
    }

    /// The numbers of some columns, in the order of the repetitions: a list for each column, with NaN for
    /// what is missing.
    ///
    /// # Errors
    /// If the file can't be read, or no longer holds what it held when these lines were found.
    pub fn read(&self, file: &File, columns: &[usize]) -> io::Result<Vec<Vec<f64>>> {
        let mut wanted: Vec<(usize, usize)> = columns.iter().copied().zip(0..).collect();
        wanted.sort_unstable();
        let mut values: Vec<Vec<f64>> = columns.iter().map(|_| Vec::with_capacity(self.count)).collect();
        let mut buffer = Vec::new();
        for lines in &self.lines {
            buffer.resize(lines.bytes as usize, 0);
            file.read_exact_at(&mut buffer, lines.offset)?;
            let mut count = 0;
            for line in buffer.split_inclusive(|byte| *byte == b'\n') {
                pick(complete(line), &wanted, &mut values).ok_or_else(changed)?;
                count += 1;
            }
            if count != lines.count {
                return Err(changed());
            }
        }
        Ok(values)
    }
}

/// Appends the numbers of the wanted columns, each with its place among the lists. `None` if one isn't there.
fn pick(line: Option<&[u8]>, wanted: &[(usize, usize)], values: &mut [Vec<f64>]) -> Option<()> {
    let mut cells = cells(line?);
    let (mut next, mut value) = (0, f64::NAN);
    for &(column, place) in wanted {
        if next <= column {
            value = number(cells.nth(column - next)?)?;
            next = column + 1;
        }
        values[place].push(value);
    }
    Some(())
}

fn changed() -> io::Error {
    io::Error::other("it was changed while it was read")
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn file(text: &str) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    #[test]
    fn columns_come_in_the_order_asked_for_and_repetitions_in_their_own() {
        let file = file("x,1,10,\nx,2,20,5\ny,9,90,\nx,0,0.5,7\n");
        let mut rows = Rows::default();
        rows.push(Lines { offset: 0, bytes: 17, first: 1, count: 2 });
        rows.push(Lines { offset: 25, bytes: 10, first: 0, count: 1 });
        assert_eq!((rows.len(), rows.repetitions().collect::<Vec<_>>()), (3, vec![0, 1, 2]));
        let columns = rows.read(&file, &[2, 1]).unwrap();
        assert_eq!(columns, [[0.5, 10.0, 20.0], [0.0, 1.0, 2.0]]);
        let last = &rows.read(&file, &[3]).unwrap()[0];
        assert!(last[0] == 7.0 && last[1].is_nan() && last[2] == 5.0, "{last:?}");
        assert_eq!(rows.twice(), None);
        rows.push(Lines { offset: 0, bytes: 8, first: 1, count: 1 });
        assert_eq!(rows.twice(), Some(1));
    }

    #[test]
    fn a_file_that_changed_is_an_error() {
        let read = |text: &str, column| {
            let mut rows = Rows::default();
            rows.push(Lines { offset: 0, bytes: 8, first: 0, count: 2 });
            rows.read(&file(text), &[column]).map(|columns| columns[0].clone())
        };
        assert_eq!(read("1,2\n3,4\n", 1).unwrap(), [2.0, 4.0]);
        for (text, column) in
            [("1,2\n", 1), ("1,2,3,4\n", 1), ("1,2\n3,44", 1), ("1,2\n3,x\n", 1), ("1,2\n3,4\n", 2)]
        {
            assert!(read(text, column).is_err(), "{text:?}");
        }
    }

    #[test]
    fn rows_are_empty_until_lines_are_added() {
        let mut rows = Rows::default();
        assert!(rows.is_empty());
        rows.push(Lines { offset: 0, bytes: 1, first: 0, count: 1 });
        assert!(!rows.is_empty());
    }
}
