//! HRM: one event, the anchor, is counted in every block. Rows of equal rank by the anchor are treated as the
//! same run.
//!
//! Each block is sorted by its anchor, the blocks are put side by side, and the column of the anchor becomes
//! the quantiles of all its counts. Correlations with the anchor are kept well. Those between events of
//! different blocks are only as strong as the anchor explains. O(N log N) in the number of rows of all
//! blocks.
//!
//! Source: S. Vilardell et al., HRM: merging hardware event monitors for improved timing analysis of complex
//! MPSoCs, IEEE Trans. CAD 39(11), 2020. Departures: blocks may differ in length, an event may be in several
//! blocks, and the number of rows of the result can be chosen; with equal blocks and no such choice the
//! result is the paper's.

use std::sync::atomic::{AtomicUsize, Ordering};

use assay_plugin_api::{Block, Column, Merged, Merger, Options, register};

use crate::diagnosis::{Asked, Diagnosis};
use crate::pairs::Design;
use crate::parallel;
use crate::settings::rows;
use quantiles::quantiles;
use ranked::{ROOM, Ranked};

mod quantiles;
mod ranked;

/// Greatest number of blocks that a sentence names, so that it stays readable.
const MOST_NAMED: usize = 3;
/// Memory that the threads may use, as a share of that of the data.
const SCRATCH: f64 = 0.1;
/// Greatest number of rows that may be requested.
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
    on_disk: "ranks",
    merge,
    ..Merger::UNKNOWN
};
register!(merger HRM);

pub(crate) fn merge<'a>(blocks: Vec<Block<'a>>, options: &Options<'_>) -> Result<Merged<'a>, String> {
    let mut notes = Vec::new();
    let design = Design::new(&blocks)?;
    let diagnosis = Diagnosis::new(&design, design.measured());
    let anchor = match options.get("anchor") {
        Some(anchor) => anchor.to_owned(),
        None => only_common_event(&blocks)?,
    };
    let shortest = blocks.iter().map(Block::rows).min().ok_or("there are no blocks to merge")?;
    let rows = rows(options, MOST_ROWS)?.unwrap_or(shortest);

    let (count, done) = (blocks.len(), AtomicUsize::new(0));
    let threads = threads(&blocks);
    let ranked = |(number, block)| {
        let ranked = Ranked::new(number, block, &anchor, rows);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if (options.progress)(done as f64 / count as f64) { ranked } else { Err("interrupted".to_owned()) }
    };
    let ranked = parallel::map((1..).zip(blocks).collect(), threads, ranked);
    let ranked = ranked.into_iter().collect::<Result<Vec<_>, _>>()?;

    let (mut columns, mut anchors) = (Vec::new(), Vec::with_capacity(count));
    let (mut constant, mut ties) = (Vec::new(), Vec::new());
    for mut block in ranked {
        notes.extend(block.note_of_length(rows));
        if !block.columns.is_empty() {
            match block.ties() {
                0 => {}
                _ if block.is_constant() => constant.push(block.place()),
                tied => ties.push(format!("{tied} of {} in {}", block.anchor.len(), block.place())),
            }
        }
        for Column { name, values } in std::mem::take(&mut block.columns) {
            let name = block.name_in(&anchor, &columns, name, &mut notes);
            columns.push(Column { name, values });
        }
        anchors.push(block.anchor);
    }
    notes.extend(
        (!ties.is_empty()).then(|| {
            format!("rows with the same {anchor} keep the order in which they came: {}", named(&ties))
        }),
    );
    let warnings = (!constant.is_empty()).then(|| {
        format!(
            "the anchor {anchor} never changes in {}, so the rows keep the order in which they came: nothing ties them to those of \
             other blocks",
            named(&constant)
        )
    });
    let warnings = warnings.into_iter().collect();
    let values = quantiles(&anchors.iter().map(|anchor| &**anchor).collect::<Vec<_>>(), rows);
    columns.insert(0, Column { name: anchor, values });
    let mut merged = Merged { columns, notes, warnings, ..Merged::default() };
    // HRM aims at no correlations, so the measured ones are the best that it could reach.
    diagnosis.report(&mut merged, Asked::Estimated, |pair| pair.correlation);
    Ok(merged)
}

/// Number of threads whose memory stays small compared with the data.
fn threads(blocks: &[Block<'_>]) -> usize {
    let data: usize = blocks.iter().map(|block| block.rows() * block.columns.len() * size_of::<f64>()).sum();
    let longest = blocks.iter().map(Block::rows).max().unwrap_or_default();
    let room = (data as f64 * SCRATCH) as usize / (longest * ROOM).max(1);
    room.clamp(1, parallel::processors())
}

/// The first names, and the number of others.
fn named(places: &[String]) -> String {
    let (named, others) = places.split_at(places.len().min(MOST_NAMED));
    let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
    named.join(", ") + &more
}

/// The anchor, if only one event is in all blocks.
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

#[cfg(test)]
mod tests;
