//! A block in the order of its anchor.

use std::cmp::Ordering;

use assay_plugin_api::{Block, Column, Values};

use crate::tagged::Sorted;

/// Memory in bytes that ranking needs for each row, in addition to the block itself.
pub const ROOM: usize = 24;

/// A block in the order of its anchor.
pub struct Ranked<'a> {
    /// Its place among the blocks, from 1.
    number: u32,
    source: String,
    /// The anchor's counts in ascending order.
    pub anchor: Values<'a>,
    /// The other columns, with as many rows as the result.
    pub columns: Vec<Column<'a>>,
}

impl<'a> Ranked<'a> {
    /// Ranks a block for a result with this number of rows: the m sorted rows are split into as many equal
    /// parts, and the middle row of each is taken. Tied rows stay in the order of the block.
    pub fn new(number: u32, block: Block<'a>, anchor: &str, rows: usize) -> Result<Self, String> {
        let Block { source, mut columns } = block;
        let index = columns.iter().position(|column| column.name == anchor);
        let index = index.ok_or_else(|| {
            format!(
                "block {number} ({source}) does not hold the anchor {anchor}: HRM needs it in every block"
            )
        })?;
        let mut values = columns.remove(index).values;
        let mut order = order(&mut values);
        let m = order.len();
        if m != rows {
            // floor((i + 0.5) m / rows), in whole numbers.
            order = (0..rows).map(|i| order[(2 * i + 1) * m / (2 * rows)]).collect();
        }
        let column = |Column { name, values }| Column { name, values: taken(values, &order) };
        let columns = columns.into_iter().map(column).collect();
        Ok(Ranked { number, source, anchor: values, columns })
    }

    /// Its name in messages.
    pub fn place(&self) -> String {
        format!("block {} ({})", self.number, self.source)
    }

    /// Number of rows with an anchor value that another row has as well.
    pub fn ties(&self) -> usize {
        self.anchor.chunk_by(|a, b| a == b).filter(|equal| equal.len() > 1).map(<[f64]>::len).sum()
    }

    /// Whether the anchor is the same in all rows.
    pub fn is_constant(&self) -> bool {
        self.anchor.first() == self.anchor.last()
    }

    /// The name of a column in the result: the first block that holds an event uses its name, later ones add
    /// their number.
    pub fn name_in(
        &self,
        anchor: &str,
        columns: &[Column<'_>],
        event: String,
        notes: &mut Vec<String>,
    ) -> String {
        let is_taken = |name: &str| name == anchor || columns.iter().any(|taken| taken.name == name);
        let mut name = event.clone();
        while is_taken(&name) {
            name = format!("{name}@{}", self.number);
        }
        if name != event {
            notes.push(format!(
                "{event} is in several blocks: the column of {} is named {name}",
                self.place()
            ));
        }
        name
    }

    /// The note about a block that has more or fewer rows than the result. There is none for a block that
    /// holds only the anchor, because all of its counts are in the quantiles.
    pub fn note_of_length(&self, rows: usize) -> Option<String> {
        let m = self.anchor.len();
        let deed = match m.cmp(&rows) {
            _ if self.columns.is_empty() => return None,
            Ordering::Less => "some of them are taken more than once",
            Ordering::Equal => return None,
            Ordering::Greater => "the others are left out",
        };
        Some(format!("{}: {m} rows for {rows} of the result: {deed}", self.place()))
    }
}

/// Sorts values, and returns the row from which each came.
fn order(values: &mut [f64]) -> Vec<u32> {
    let sorted = Sorted::new(values.iter().copied().zip(0..));
    let mut order = Vec::with_capacity(values.len());
    let mut values = values.iter_mut();
    sorted.iter().for_each(|(value, row)| {
        order.push(row);
        values.next().into_iter().for_each(|place| *place = value);
    });
    order
}

/// The values of these rows. They overwrite the memory of the block if there is room, so that the merge needs
/// little more memory than the data.
fn taken<'a>(values: Values<'a>, rows: &[u32]) -> Values<'a> {
    let taken: Vec<f64> = rows.iter().map(|&row| values[row as usize]).collect();
    match values {
        Values::Lent(own) if taken.len() <= own.len() => {
            let (own, _) = own.split_at_mut(taken.len());
            own.copy_from_slice(&taken);
            Values::Lent(own)
        }
        _ => Values::Own(taken),
    }
}
