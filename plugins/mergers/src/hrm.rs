//! HRM: one event, the anchor, is counted in every block; rows of equal rank by the anchor are taken for the same run.
//!
//! Each block is sorted by its anchor, the blocks are put side by side, and the anchor's column becomes the quantiles of all
//! its counts. Correlations with the anchor survive well; those between events of different blocks are only what the anchor
//! explains of them. O(N log N) in the number of rows of all blocks.
//!
//! Source: S. Vilardell et al., HRM: merging hardware event monitors for improved timing analysis of complex MPSoCs,
//! IEEE Trans. CAD 39(11), 2020. Departures: blocks may differ in length, an event may be in several blocks, and the number
//! of rows of the result can be chosen; with equal blocks and no such choice the result is the paper's.

use std::cmp::Ordering;

use assay_plugin_api::{Block, Column, Merged, Merger, Options, Values, register};

use crate::diagnosis::Diagnosis;
use crate::pairs::{Design, drop_incomplete_rows};

/// The merger.
pub const HRM: Merger = Merger {
    id: "hrm",
    summary: "Puts rows side by side that have the same rank by the anchor, an event counted in every block.",
    reference: "S. Vilardell et al. HRM: merging hardware event monitors for improved timing analysis of complex MPSoCs. \
                IEEE Trans. CAD 39(11), 2020, doi:10.1109/TCAD.2020.3013051",
    options: &[
        ("anchor", "the event that orders the rows; may be left out if exactly one event is in every block"),
        ("rows", "rows of the result; as many as the shortest block has if left out"),
    ],
    merge,
    ..Merger::UNKNOWN
};
register!(merger HRM);

pub(crate) fn merge<'a>(mut blocks: Vec<Block<'a>>, options: &Options<'_>) -> Result<Merged<'a>, String> {
    let mut notes = Vec::new();
    drop_incomplete_rows(&mut blocks, &mut notes);
    let design = Design::new(&blocks)?;
    let diagnosis = Diagnosis::new(&design, design.measured());
    let anchor = match options.get("anchor") {
        Some(anchor) => anchor.to_owned(),
        None => only_common_event(&blocks)?,
    };
    let sorted: Vec<Sorted<'_>> = (1..)
        .zip(blocks)
        .map(|(number, block)| Sorted::new(number, block, &anchor, &mut notes))
        .collect::<Result<_, _>>()?;
    let shortest =
        sorted.iter().map(|block| block.order.len()).min().ok_or("there are no blocks to merge")?;
    let rows = match options.parse::<usize>("rows")? {
        Some(0) => return Err("option rows: a table has at least 1 row".to_owned()),
        Some(rows) => rows,
        None => shortest,
    };
    notes.extend(sorted.iter().filter_map(|block| block.note_of_length(rows)));

    let mut anchors: Vec<f64> = sorted.iter().flat_map(Sorted::anchors).collect();
    anchors.sort_by(f64::total_cmp);
    let mut columns = vec![Column { name: anchor, values: quantiles(&anchors, rows) }];
    let blocks = sorted.len();
    for (done, mut block) in (1..).zip(sorted) {
        // Each column is given back before the next is made, so that little more than the data is held.
        for column in std::mem::take(&mut block.others) {
            let name = block.name_in(&columns, column.name, &mut notes);
            columns.push(Column { name, values: block.resample(&column.values, rows) });
        }
        if !(options.progress)(f64::from(done) / blocks as f64) {
            return Err("interrupted".to_owned());
        }
    }
    let mut merged = Merged { columns, notes, ..Merged::default() };
    // HRM aims at no correlations: what was measured is the best that it could reach.
    diagnosis.tell(&mut merged, |pair| pair.correlation);
    Ok(merged)
}

/// The anchor, where the blocks leave no choice.
fn only_common_event(blocks: &[Block<'_>]) -> Result<String, String> {
    let (first, others) = blocks.split_first().ok_or("there are no blocks to merge")?;
    let everywhere =
        |name: &String| others.iter().all(|block| block.columns.iter().any(|column| column.name == *name));
    let mut common = first.columns.iter().map(|column| &column.name).filter(|name| everywhere(name));
    match (common.next(), common.next()) {
        (Some(anchor), None) => Ok(anchor.clone()),
        (None, _) => Err("no event is in every block: HRM needs one to order the rows by".to_owned()),
        (Some(one), Some(two)) => Err(format!(
            "several events are in every block ({one}, {two} ..): choose one with the option anchor"
        )),
    }
}

/// A block in the order of its anchor.
struct Sorted<'a> {
    /// Its place among the blocks, from 1.
    number: u32,
    source: String,
    anchor: Values<'a>,
    others: Vec<Column<'a>>,
    /// Rows of the block by rising anchor; rows that tie stay in the order of the block.
    order: Vec<usize>,
}

impl<'a> Sorted<'a> {
    fn new(number: u32, block: Block<'a>, anchor: &str, notes: &mut Vec<String>) -> Result<Self, String> {
        let Block { source, columns: mut others } = block;
        let place = format!("block {number} ({source})");
        let index = others.iter().position(|column| column.name == anchor);
        let index = index.ok_or_else(|| {
            format!("{place} does not hold the anchor {anchor}: HRM needs it in every block")
        })?;
        let values = others.remove(index).values;

        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
        let (first, last) = (order[0], order[order.len() - 1]);
        if order.len() > 1 && values[first] == values[last] {
            notes.push(format!(
                "{place}: the anchor {anchor} never changes, so the rows keep the order in which they came"
            ));
        }
        Ok(Sorted { number, source, anchor: values, others, order })
    }

    fn anchors(&self) -> impl Iterator<Item = f64> {
        self.order.iter().map(|&row| self.anchor[row])
    }

    /// The first block that holds an event gives its name to it; later ones add their number.
    fn name_in(&self, columns: &[Column<'_>], event: String, notes: &mut Vec<String>) -> String {
        if columns.iter().all(|taken| taken.name != event) {
            return event;
        }
        let name = format!("{event}@{}", self.number);
        notes.push(format!(
            "{event} is in several blocks: the column of block {} ({}) is named {name}",
            self.number, self.source
        ));
        name
    }

    /// What is said of a block that has more or fewer rows than the result.
    fn note_of_length(&self, rows: usize) -> Option<String> {
        let m = self.order.len();
        let deed = match m.cmp(&rows) {
            // All of its anchor's counts are in the quantiles.
            _ if self.others.is_empty() => return None,
            Ordering::Less => "some of them are taken more than once",
            Ordering::Equal => return None,
            Ordering::Greater => "the others are left out",
        };
        Some(format!("block {} ({}): {m} rows for {rows} of the result: {deed}", self.number, self.source))
    }

    /// A column of the result: of m sorted rows, the one in the middle of each of `rows` equal parts.
    fn resample(&self, values: &[f64], rows: usize) -> Values<'static> {
        let m = self.order.len();
        // floor((i + 0.5) m / rows), in whole numbers.
        (0..rows).map(|i| values[self.order[(2 * i + 1) * m / (2 * rows)]]).collect()
    }
}

/// Quantiles of sorted values at `n` evenly spaced probabilities from 0 to 1: the inverse of the empirical distribution,
/// averaged where it jumps (type 2 of Hyndman and Fan, Sample quantiles in statistical packages, 1996).
fn quantiles(sorted: &[f64], n: usize) -> Values<'static> {
    // The order of the operations decides on the last bit, and with it on which side of a jump a probability falls.
    let step = 1.0 / (n.max(2) - 1) as f64;
    let at = |rank: usize| sorted[rank.clamp(1, sorted.len()) - 1];
    let quantile = |i: usize| {
        let probability = if i > 0 && i == n - 1 { 1.0 } else { i as f64 * step };
        let rank = sorted.len() as f64 * probability;
        let below = rank.floor();
        if rank > below {
            at(below as usize + 1)
        } else {
            (at(below as usize) + at(below as usize + 1)) / 2.0
        }
    };
    (0..n).map(quantile).collect()
}

#[cfg(test)]
mod tests;
