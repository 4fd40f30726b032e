//! The anchor's column of a merge by ranks: quantiles of all its counts, which are read from files.

use assay_base::error::Result;

use super::row_file::RowFile;
use super::sorted_rows::SortedRows;

/// The sorted counts of the anchor in one sub-experiment.
struct AnchorColumn {
    rows: SortedRows,
    /// Number of its rows.
    count: usize,
    read: usize,
    first: f64,
    last: f64,
    /// Number of rows in a row whose count is `last`.
    equal: usize,
    ties: Ties,
}

/// The rows of a sub-experiment that the anchor does not order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ties {
    /// Number of rows with a count that another row has as well.
    pub(super) tied: usize,
    /// Whether the count is the same in all rows.
    pub(super) is_constant: bool,
}

impl AnchorColumn {
    fn new(file: &RowFile) -> Result<Self> {
        let rows = SortedRows::open(file)?;
        let none = f64::NEG_INFINITY;
        Ok(AnchorColumn {
            rows,
            count: file.rows,
            read: 0,
            first: none,
            last: none,
            equal: 0,
            ties: Ties::default(),
        })
    }

    fn next(&mut self) -> Result<Option<f64>> {
        let next = self.rows.anchor()?;
        if next != Some(self.last) {
            self.ties.tied += if self.equal > 1 { self.equal } else { 0 };
            self.equal = 0;
        }
        let Some(value) = next else {
            self.ties.is_constant = self.first == self.last;
            return if self.read == self.count {
                Ok(None)
            } else {
                Err(self.rows.unexpected("rows are missing"))
            };
        };
        if value < self.last {
            return Err(self.rows.unexpected("the order is wrong"));
        }
        if self.read == 0 {
            self.first = value;
        }
        (self.read, self.equal, self.last) = (self.read + 1, self.equal + 1, value);
        Ok(Some(value))
    }
}

/// Quantiles of the counts of several sorted files at evenly spaced probabilities from 0 to 1: the inverse of
/// the empirical distribution, averaged where it jumps (type 2 of Hyndman and Fan, Sample quantiles in
/// statistical packages, 1996). They are those of the merger in memory, to the last bit.
pub(super) struct AnchorQuantiles {
    columns: Vec<AnchorColumn>,
    /// The next count of each column that has one, with the index of the column; the least is the last.
    heads: Vec<(f64, usize)>,
    /// Number of counts in all columns.
    count: usize,
    /// Number of quantiles.
    n: usize,
    /// The rank, from 1, of `here`; 0 before the first quantile.
    rank: usize,
    /// The count of this rank.
    here: f64,
    /// The count after it; the same after the last.
    next: f64,
}

impl AnchorQuantiles {
    /// # Errors
    /// If a file can't be read.
    pub(super) fn new(files: &[RowFile], n: usize) -> Result<Self> {
        let columns = files.iter().map(AnchorColumn::new).collect::<Result<Vec<_>>>()?;
        let count = files.iter().map(|file| file.rows).sum();
        let mut all = AnchorQuantiles { columns, heads: Vec::new(), count, n, rank: 1, here: 0.0, next: 0.0 };
        for index in 0..files.len() {
            all.put(index)?;
        }
        all.here = all.pop()?.unwrap_or(f64::NAN);
        all.next = all.pop()?.unwrap_or(all.here);
        Ok(all)
    }

    /// Quantile `i` from 0. They are asked for in ascending order.
    ///
    /// # Errors
    /// If a file can't be read.
    pub(super) fn quantile(&mut self, i: usize) -> Result<f64> {
        // The order of these operations decides the last bit, and so the side of a jump on which a
        // probability falls.
        let step = 1.0 / (self.n.max(2) - 1) as f64;
        let probability = if i > 0 && i == self.n - 1 { 1.0 } else { i as f64 * step };
        let place = self.count as f64 * probability;
        let below = place as usize;
        while self.rank < below {
            (self.rank, self.here) = (self.rank + 1, self.next);
            self.next = self.pop()?.unwrap_or(self.next);
        }
        Ok(match below {
            0 => self.here,
            _ if place > place.floor() => self.next,
            _ => (self.here + self.next) / 2.0,
        })
    }

    /// The ties of each sub-experiment, after the last quantile.
    ///
    /// # Errors
    /// If a file can't be read.
    pub(super) fn ties(mut self) -> Result<Vec<Ties>> {
        while self.pop()?.is_some() {}
        Ok(self.columns.into_iter().map(|column| column.ties).collect())
    }

    /// The least count that was not taken yet.
    fn pop(&mut self) -> Result<Option<f64>> {
        let Some((least, index)) = self.heads.pop() else { return Ok(None) };
        self.put(index)?;
        Ok(Some(least))
    }

    fn put(&mut self, index: usize) -> Result<()> {
        if let Some(head) = self.columns[index].next()? {
            let place = self.heads.partition_point(|(other, _)| *other > head);
            self.heads.insert(place, (head, index));
        }
        Ok(())
    }
}
