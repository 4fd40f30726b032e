//! A block in the order of its anchor.

use std::cmp::Ordering;

use assay_plugin_api::{Block, Column, Values};

use crate::tagged::Sorted;

/// Bytes that ranking takes for each row, besides the block itself.
pub const ROOM: usize = 24;

/// A block in the order of its anchor.
pub struct Ranked<'a> {
    /// Its place among the blocks, from 1.
    number: u32,
    source: String,
    /// Rising.
    pub anchor: Values<'a>,
    /// The other columns, with as many rows as the result.
    pub columns: Vec<Column<'a>>,
}

impl<'a> Ranked<'a> {
    /// Of a block, for this number of rows of the result: of m sorted rows it has the one in the middle of
    /// each of as many equal parts. Rows that tie stay in the order of the block.
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

    /// How messages call it.
    pub fn place(&self) -> String {
        format!("block {} ({})", self.number, self.source)
    }

    /// How many rows have the anchor's value of another row.
    pub fn ties(&self) -> usize {
        self.anchor.chunk_by(|a, b| a == b).filter(|equal| equal.len() > 1).map(<[f64]>::len).sum()
    }

    /// Whether the anchor is the same in all rows.
    pub fn is_constant(&self) -> bool {
        self.anchor.first() == self.anchor.last()
    }

    /// The first block that holds an event gives its name to it; later ones add their number.
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

    /// What is said of a block that has more or fewer rows than the result; nothing of one that holds the
    /// anchor alone, all of whose counts are in the quantiles.
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

/// Sorts values, and tells from which row each came.
fn order(values: &mut [f64]) -> Vec<u32> {
    let sorted = Sorted::of(values.iter().copied().zip(0..));
    let mut order = Vec::with_capacity(values.len());
    let mut values = values.iter_mut();
    sorted.iter().for_each(|(value, row)| {
        order.push(row);
        values.next().into_iter().for_each(|place| *place = value);
    });
    order
}

/// The values of these rows. They take the place of the block's own where there is room, so that little more
/// than the data is held.
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
