//! auto: one table of all events that is as near to every block as it can be, made of measured values alone.
//!
//! Each event keeps its distribution, pooled over the blocks; what is made is which values share a row:
//! 1. three matrices of correlations (of values, ranks and normal scores) are estimated from all blocks
//!    together, so that pairs which no block holds follow from those that one does (`correlations`);
//! 2. rows of normal scores with these correlations are drawn (`start`);
//! 3. they are moved until each block's columns look like the block, tails and bends included (`transport`);
//! 4. pairs of values change places until the correlations of values and ranks are those asked (`swaps`).
//!
//! Events that follow exactly from others take their rows from these (`copies`).
//!
//! If one event is in every block and no other event is in two of them, only this anchor connects the blocks,
//! and HRM merges them better. O(cycles * blocks * k * n log n) and a million swaps of O(d), for n rows, d
//! events and blocks of k.
//!
//! Source: our own combination; each step names its source in its file.

use assay_plugin_api::{Block, Column, Merged, Merger, Options, register};

use crate::diagnosis::{Asked, Diagnosis, counted};
use crate::pairs::Design;
use crate::ranks::lay_out;
use crate::settings::rows;
use copies::{copies, note};
use made::{Effort, Made};
use margins::margin;

mod copies;
pub mod correlations;
mod made;
pub mod margins;
pub mod standard;
pub mod start;
pub mod swaps;
pub mod transport;

/// The seed if none is given.
pub(crate) const SEED: u64 = 1;
/// The number of rows if none is given.
pub(crate) const ROWS: usize = 1000;
/// Greatest number of rows that may be requested.
pub(crate) const MOST_ROWS: usize = 10_000_000;
/// Greatest number of events that a sentence names, so that it stays readable.
const MOST_NAMED: usize = 10;

/// The error if the host ends the merge.
pub(crate) const INTERRUPTED: &str = "interrupted";

const AUTO: Merger = Merger {
    id: "auto",
    summary: "Makes rows of measured values that look like every block, and infers what no block holds from what they do.",
    reference: "A combination of maximum likelihood with missing columns (Dempster et al. 1977), sliced optimal transport \
                (Pitié et al. 2005) and exchanges of values; HRM where all blocks share nothing but one event",
    options: &[
        ("rows", "rows of the result; 1000 if left out"),
        ("seed", "decides what is drawn; 1 if left out"),
        ("quick", "yes for a quarter of the work"),
        (
            "draft",
            "yes for a table of which only the correlations are right, and no report on it, as --check needs",
        ),
    ],
    merge,
    ..Merger::UNKNOWN
};
register!(merger AUTO);

/// The merge, as the host calls it.
///
/// # Errors
/// One sentence that names the block, event or option at fault.
pub fn merge<'a>(blocks: Vec<Block<'a>>, options: &Options<'_>) -> Result<Merged<'a>, String> {
    let rows = rows(options, MOST_ROWS)?.unwrap_or(ROWS);
    let seed = options.parse("seed")?.unwrap_or(SEED);
    let effort = match (is_set(options, "draft")?, is_set(options, "quick")?) {
        (true, _) => Effort::Draft,
        (false, true) => Effort::Quick,
        (false, false) => Effort::Full,
    };
    if let Some(anchor) = only_anchor(&Design::new(&blocks)?) {
        return by_anchor(blocks, &anchor, options);
    }

    let design = Design::new(&blocks)?;
    // An event that never changes has no correlations, so it takes no part in the following steps.
    let changing: Vec<usize> = (0..design.events.len()).filter(|event| !design.is_constant(*event)).collect();
    let free = design.select(&changing);
    let copies = copies(&free);
    let originals: Vec<usize> = copies.iter().map(|copy| copy.original).collect();
    let made = Made::new(&free.joined(&originals), rows, seed, effort, &|share| (options.progress)(share));
    let made = made.ok_or(INTERRUPTED)?;
    let mut places = vec![None; design.events.len()];
    let firsts: Vec<usize> = (0..originals.len()).filter(|event| originals[*event] == *event).collect();
    for (event, copy) in changing.iter().zip(&copies) {
        places[*event] = firsts.binary_search(&copy.original).ok().map(|place| (place, copy));
    }
    let column = |(event, name): (usize, &&str)| {
        let values = match places[event] {
            Some((place, copy)) => {
                let own = (!copy.is_equal).then(|| margin(&design, event, rows));
                laid_out(own.as_ref().unwrap_or(&made.margins[place]), &made.orders[place], copy.sign)
            }
            None => margin(&design, event, rows),
        };
        Column { name: (*name).to_owned(), values: values.into() }
    };
    let columns = design.events.iter().enumerate().map(column).collect();
    let mut merged = Merged { columns, ..Merged::default() };
    if effort == Effort::Draft {
        return Ok(merged);
    }
    merged.notes.push(format!("{}, seed {seed}", counted(rows, "row")));
    merged.notes.extend(without_correlation(&design));
    merged.notes.extend(note(&copies, &free));
    merged.warnings.extend(unconnected(&free));
    Diagnosis::new(&design, design.measured()).report(&mut merged, Asked::Estimated, |pair| {
        let ((a, one), (b, other)) = (places[pair.events.0]?, places[pair.events.1]?);
        let changes = |place: usize| made.margins[place].first() != made.margins[place].last();
        let asked = if a == b { 1.0 } else { made.asked[(a, b)] };
        (changes(a) && changes(b)).then_some(one.sign * other.sign * asked)
    });
    Ok(merged)
}

/// Whether an option is `yes`.
fn is_set(options: &Options<'_>, name: &str) -> Result<bool, String> {
    match options.get(name) {
        None | Some("no") => Ok(false),
        Some("yes") => Ok(true),
        Some(other) => Err(format!("option {name}: `yes` or `no`, not `{other}`")),
    }
}

/// The note about events that never change.
pub(crate) fn without_correlation(design: &Design<'_>) -> Option<String> {
    let constant = (0..design.events.len()).filter(|event| design.is_constant(*event));
    let names: Vec<&str> = constant.map(|event| design.events[event]).collect();
    let (named, others) = names.split_at(names.len().min(MOST_NAMED));
    let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
    (!names.is_empty()).then(|| {
        let events = counted(names.len(), "event");
        format!("{events} without a correlation, since they never change: {}{more}", named.join(", "))
    })
}

/// The anchor: the one event that changes in every block, if no other event changes in two of them. Then only
/// the anchor relates the other events to each other.
fn only_anchor(design: &Design<'_>) -> Option<String> {
    let blocks = design.sources.len();
    let mut shared = (0..design.events.len()).filter(|&event| design.changing(event).count() > 1);
    match (shared.next(), shared.next()) {
        (Some(anchor), None) if design.changing(anchor).count() == blocks => {
            Some(design.events[anchor].to_owned())
        }
        _ => None,
    }
}

fn by_anchor<'a>(blocks: Vec<Block<'a>>, anchor: &str, options: &Options<'_>) -> Result<Merged<'a>, String> {
    let mut given = vec![("anchor", anchor)];
    given.extend(options.get("rows").map(|rows| ("rows", rows)));
    let mut merged = crate::hrm::merge(blocks, &Options { given: &given, ..*options })?;
    let chosen = format!(
        "the blocks share {anchor} and nothing else that changes, so rows were put together by it, as `hrm` does"
    );
    merged.notes.insert(0, chosen);
    Ok(merged)
}

/// The note about events that no chain of measured pairs connects with the others.
fn unconnected(design: &Design<'_>) -> Option<String> {
    let mut group: Vec<usize> = (0..design.events.len()).collect();
    for block in 0..design.sources.len() {
        let changes = |event: &usize| design.changing(*event).any(|(holder, _)| holder == block);
        let groups: Vec<usize> = (0..design.events.len()).filter(changes).map(|event| group[event]).collect();
        let Some(least) = groups.iter().copied().min() else { continue };
        group.iter_mut().filter(|group| groups.contains(group)).for_each(|group| *group = least);
    }
    let other = group.iter().position(|group| *group != 0)?;
    let (one, other) = (design.events[0], design.events[other]);
    Some(format!(
        "nothing that was measured connects {one} with {other}: such events are taken to be independent; measure them \
         together, or each with an event in common"
    ))
}

/// The events of each block, with their values there.
pub(crate) fn parts<'b>(design: &Design<'b>) -> Vec<Vec<(usize, &'b [f64])>> {
    let mut parts = vec![Vec::new(); design.sources.len()];
    for event in 0..design.events.len() {
        design.holders(event).iter().for_each(|(block, values)| parts[*block].push((event, *values)));
    }
    parts
}

/// Sorted values in the order of the ranks of a column; in reverse order if the sign is -1.
fn laid_out(margin: &[f64], order: &[u32], sign: f64) -> Vec<f64> {
    let mut values = vec![0.0; margin.len()];
    lay_out(margin, order, &mut values);
    if sign < 0.0 {
        let falling: Vec<f64> = margin.iter().rev().copied().collect();
        lay_out(&falling, order, &mut values);
    }
    values
}

/// The columns of a result: the values of each event in the order of its ranks.
pub(crate) fn columns(
    design: &Design<'_>,
    margins: &[Vec<f64>],
    orders: &[Vec<u32>],
) -> Vec<Column<'static>> {
    let column = |((name, margin), order): ((&&str, &Vec<f64>), &Vec<u32>)| Column {
        name: (*name).to_owned(),
        values: laid_out(margin, order, 1.0).into(),
    };
    design.events.iter().zip(margins).zip(orders).map(column).collect()
}

#[cfg(test)]
mod tests;
