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
use crate::settings::rows;

/// As many rows of a result may be asked for.
const MOST_ROWS: usize = 100_000_000;

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
    let shortest = blocks.iter().map(Block::rows).min().ok_or("there are no blocks to merge")?;
    let rows = rows(options, MOST_ROWS)?.unwrap_or(shortest);

    let (count, mut columns, mut anchors) = (blocks.len(), Vec::new(), Vec::with_capacity(blocks.len()));
    for (number, block) in (1..).zip(blocks) {
        let (sorted, others) = Sorted::new(number, block, &anchor, &mut notes)?;
        notes.extend(sorted.note_of_length(rows, others.is_empty()));
        for Column { name, values } in others {
            let name = sorted.name_in(&anchor, &columns, name, &mut notes);
            columns.push(Column { name, values: sorted.resample(values, rows) });
        }
        anchors.push(sorted.anchor);
        if !(options.progress)(f64::from(number) / count as f64) {
            return Err("interrupted".to_owned());
        }
    }
    let values = quantiles(anchors.iter().map(|anchor| &**anchor).collect(), rows);
    columns.insert(0, Column { name: anchor, values });
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
    /// Rising.
    anchor: Values<'a>,
    /// The anchor's value in each row and the row, by rising value; rows that tie stay in the order of the block.
    order: Vec<(f64, usize)>,
}

impl<'a> Sorted<'a> {
    /// Of a block, with its columns but the anchor, which are not sorted yet.
    fn new(
        number: u32,
        block: Block<'a>,
        anchor: &str,
        notes: &mut Vec<String>,
    ) -> Result<(Self, Vec<Column<'a>>), String> {
        let Block { source, columns: mut others } = block;
        let place = format!("block {number} ({source})");
        let index = others.iter().position(|column| column.name == anchor);
        let index = index.ok_or_else(|| {
            format!("{place} does not hold the anchor {anchor}: HRM needs it in every block")
        })?;
        let mut values = others.remove(index).values;

        let mut order: Vec<(f64, usize)> = values.iter().copied().zip(0..).collect();
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        if order.len() > 1 && order[0].0 == order[order.len() - 1].0 {
            notes.push(format!(
                "{place}: the anchor {anchor} never changes, so the rows keep the order in which they came"
            ));
        }
        values.iter_mut().zip(&order).for_each(|(value, (sorted, _))| *value = *sorted);
        Ok((Sorted { number, source, anchor: values, order }, others))
    }

    /// The first block that holds an event gives its name to it; later ones add their number.
    fn name_in(
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
                "{event} is in several blocks: the column of block {} ({}) is named {name}",
                self.number, self.source
            ));
        }
        name
    }

    /// What is said of a block that has more or fewer rows than the result; nothing of one that holds the anchor alone, all of
    /// whose counts are in the quantiles.
    fn note_of_length(&self, rows: usize, alone: bool) -> Option<String> {
        let m = self.order.len();
        let deed = match m.cmp(&rows) {
            _ if alone => return None,
            Ordering::Less => "some of them are taken more than once",
            Ordering::Equal => return None,
            Ordering::Greater => "the others are left out",
        };
        Some(format!("block {} ({}): {m} rows for {rows} of the result: {deed}", self.number, self.source))
    }

    /// A column of the result: of m sorted rows, the one in the middle of each of `rows` equal parts. It takes the place of
    /// the block's own where there is room, so that little more than the data is held.
    fn resample(&self, values: Values<'a>, rows: usize) -> Values<'a> {
        let m = self.order.len();
        // floor((i + 0.5) m / rows), in whole numbers.
        let row = |i: usize| self.order[(2 * i + 1) * m / (2 * rows)].1;
        let sampled: Vec<f64> = (0..rows).map(|i| values[row(i)]).collect();
        match values {
            Values::Lent(own) if rows <= m => {
                let (own, _) = own.split_at_mut(rows);
                own.copy_from_slice(&sampled);
                Values::Lent(own)
            }
            _ => Values::Own(sampled),
        }
    }
}

/// Quantiles of all values at `n` evenly spaced probabilities from 0 to 1, where the values come as sorted lists: the inverse
/// of the empirical distribution, averaged where it jumps (type 2 of Hyndman and Fan, Sample quantiles in statistical
/// packages, 1996).
fn quantiles(sorted: Vec<&[f64]>, n: usize) -> Values<'static> {
    let count: usize = sorted.iter().map(|values| values.len()).sum();
    let mut merged = Merging { rest: sorted };
    let least = merged.next().unwrap_or(f64::NAN);
    // The value of a rank, and the next.
    let (mut rank, mut here, mut behind) = (1, least, merged.next().unwrap_or(least));
    // The order of the operations decides on the last bit, and with it on which side of a jump a probability falls.
    let step = 1.0 / (n.max(2) - 1) as f64;
    let quantile = |i: usize| {
        let probability = if i > 0 && i == n - 1 { 1.0 } else { i as f64 * step };
        let place = count as f64 * probability;
        let below = place.floor();
        while rank < below as usize {
            (rank, here) = (rank + 1, behind);
            behind = merged.next().unwrap_or(behind);
        }
        match below as usize {
            0 => here,
            _ if place > below => behind,
            _ => (here + behind) / 2.0,
        }
    };
    (0..n).map(quantile).collect()
}

/// The values of sorted lists, rising.
struct Merging<'v> {
    rest: Vec<&'v [f64]>,
}

impl Iterator for Merging<'_> {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        let heads = self.rest.iter_mut().filter(|rest| !rest.is_empty());
        let rest = heads.min_by(|a, b| a[0].total_cmp(&b[0]))?;
        let (least, others) = rest.split_first()?;
        *rest = others;
        Some(*least)
    }
}

#[cfg(test)]
mod tests;
