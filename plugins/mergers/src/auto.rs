//! auto: one table of all events that is as near to every block as it can be, made of measured values alone.
//!
//! Each event keeps its distribution, pooled over the blocks; what is made is which values share a row:
//! 1. three matrices of correlations (of values, ranks and normal scores) are estimated from all blocks together, so that pairs
//!    which no block holds follow from those that one does (`correlations`);
//! 2. rows of normal scores with these correlations are drawn (`start`);
//! 3. they are moved until each block's columns look like the block, tails and bends included (`transport`);
//! 4. pairs of values change places until the correlations of values and ranks are those asked (`swaps`).
//!
//! Where one event is in every block and no other in two of them there is nothing to put together but by that anchor, which
//! HRM does better. O(cycles * blocks * k * n log n) and a million swaps of O(d), for n rows, d events and blocks of k.
//!
//! Source: our own combination; each step names its source in its file.

use std::sync::atomic::{AtomicUsize, Ordering};

use assay_plugin_api::{Block, Column, Merged, Merger, Options, register};
use nalgebra::DMatrix;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::diagnosis::Diagnosis;
use crate::pairs::{Design, drop_incomplete_rows};
use crate::ranks::lay_out;
use crate::settings::rows;
use correlations::{Covariances, likeliest};
use margins::{margin, standard_margin};
use standard::{Scaled, mid_ranks, normal_scores, scores_by_rank, standardised};
use swaps::Swaps;
use transport::{Cloud, Directions, Space};

pub mod correlations;
pub mod margins;
pub mod standard;
pub mod start;
pub mod swaps;
pub mod transport;

/// The seed if none is given.
pub(crate) const SEED: u64 = 1;
/// The number of rows if none is given.
pub(crate) const ROWS: usize = 1000;
/// As many may be asked for.
pub(crate) const MOST_ROWS: usize = 10_000_000;
const STEPS: usize = 100;
const CYCLES: usize = 40;
/// How far rows are moved in the last cycle, of 1 in the first.
const LAST_SHARE: f64 = 0.1;
/// How far rows are moved where columns depend on each other.
const FLAT_SHARE: f64 = 0.7;
/// At the end this is done so many times in turn with swaps, so many cycles each time.
const FLATTENINGS: usize = 4;
const FLAT_CYCLES: usize = 5;
/// Correlations need not be met more closely on average: chance puts them farther from the truth in any measurement.
const ENOUGH: f64 = 0.003;
/// Correlations may be off by no more than this on average for the sake of columns that depend on each other.
const BEARABLE: f64 = 0.01;
/// The share of all ranks over which values swap at first, and where they shall move little.
const FAR: f64 = 0.1;
const NEAR: f64 = 0.01;
/// For up to this many events and rows; more in proportion.
const PROPOSALS: f64 = 1e6;
const PROPOSALS_EVENTS: f64 = 31.0;
const PROPOSALS_ROWS: f64 = 1000.0;

/// What is said when the host wants no more.
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
    ],
    merge,
    ..Merger::UNKNOWN
};
register!(merger AUTO);

/// The merge, as the host calls it.
///
/// # Errors
/// One sentence that names the block, event or option at fault.
pub fn merge<'a>(mut blocks: Vec<Block<'a>>, options: &Options<'_>) -> Result<Merged<'a>, String> {
    let rows = rows(options, MOST_ROWS)?.unwrap_or(ROWS);
    let seed = options.parse("seed")?.unwrap_or(SEED);
    let quick = match options.get("quick") {
        None | Some("no") => false,
        Some("yes") => true,
        Some(other) => return Err(format!("option quick: `yes` or `no`, not `{other}`")),
    };
    let mut notes = Vec::new();
    drop_incomplete_rows(&mut blocks, &mut notes);
    if let Some(anchor) = only_anchor(&Design::new(&blocks)?) {
        return by_anchor(blocks, &anchor, options, notes);
    }

    let design = Design::new(&blocks)?;
    let made = Made::of(&design, rows, seed, quick, &|share| (options.progress)(share)).ok_or(INTERRUPTED)?;
    let columns = columns(&design, &made.margins, &made.orders);
    let mut merged = Merged { columns, notes, ..Merged::default() };
    merged.notes.push(format!("{rows} rows, seed {seed}"));
    merged.warnings.extend(unconnected(&design));
    Diagnosis::new(&design, design.measured()).tell(&mut merged, |pair| {
        let (a, b) = pair.events;
        let changes = |event: usize| made.margins[event].first() != made.margins[event].last();
        (changes(a) && changes(b)).then(|| made.asked[(a, b)])
    });
    Ok(merged)
}

/// The one event of every block, if no other is in two of them: all that is known of the others' relations goes through it.
fn only_anchor(design: &Design<'_>) -> Option<String> {
    let blocks = design.sources.len();
    let mut shared = (0..design.events.len()).filter(|&event| design.holders(event).len() > 1);
    match (shared.next(), shared.next()) {
        (Some(anchor), None) if design.holders(anchor).len() == blocks => {
            Some(design.events[anchor].to_owned())
        }
        _ => None,
    }
}

fn by_anchor<'a>(
    blocks: Vec<Block<'a>>,
    anchor: &str,
    options: &Options<'_>,
    notes: Vec<String>,
) -> Result<Merged<'a>, String> {
    let mut given = vec![("anchor", anchor)];
    given.extend(options.get("rows").map(|rows| ("rows", rows)));
    let mut merged = crate::hrm::merge(blocks, &Options { given: &given, ..*options })?;
    let chosen =
        format!("the blocks share {anchor} and nothing else, so rows were put together by it, as `hrm` does");
    merged.notes.splice(0..0, notes.into_iter().chain([chosen]));
    Ok(merged)
}

/// What is said if some events can't be reached from others, whichever pairs one goes by.
fn unconnected(design: &Design<'_>) -> Option<String> {
    let mut group: Vec<usize> = (0..design.events.len()).collect();
    for part in parts(design) {
        let groups: Vec<usize> = part.iter().map(|(event, _)| group[*event]).collect();
        let least = groups.iter().copied().min()?;
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

/// The columns of a result: per event, its values where its ranks are.
pub(crate) fn columns(
    design: &Design<'_>,
    margins: &[Vec<f64>],
    orders: &[Vec<u32>],
) -> Vec<Column<'static>> {
    let column = |((name, margin), order): ((&&str, &Vec<f64>), &Vec<u32>)| {
        let mut values = vec![0.0; margin.len()];
        lay_out(margin, order, &mut values);
        Column { name: (*name).to_owned(), values: values.into() }
    };
    design.events.iter().zip(margins).zip(orders).map(column).collect()
}

/// A result, and what was asked of it.
struct Made {
    /// Per event, its values in rising order.
    margins: Vec<Vec<f64>>,
    /// Per event, the row of each rank.
    orders: Vec<Vec<u32>>,
    /// The correlations of values.
    asked: DMatrix<f64>,
}

impl Made {
    /// `None` if `progress` said no.
    fn of(
        design: &Design<'_>,
        rows: usize,
        seed: u64,
        quick: bool,
        progress: &(dyn Fn(f64) -> bool + Sync),
    ) -> Option<Self> {
        let (d, mut rng) = (design.events.len(), ChaCha8Rng::seed_from_u64(seed));
        let parts = parts(design);
        let by_value = scaled(&parts, standardised);
        let [values, ranks, scores] = targets(
            d,
            [
                &by_value,
                &scaled(&parts, |values| standardised(&mid_ranks(values))),
                &scaled(&parts, |values| standardised(&scores_by_rank(values))),
            ],
            progress,
        )?;
        let mut orders = start::orders(&start::correlated(&scores, rows, &mut rng));

        let margins: Vec<Vec<f64>> = (0..d).map(|event| margin(design, event, rows)).collect();
        let value_margins: Vec<Vec<f64>> = margins.iter().map(|margin| standard_margin(margin)).collect();
        let rank_margins: Vec<Vec<f64>> =
            margins.iter().map(|margin| standard_margin(&mid_ranks(margin))).collect();
        let on_scores = Space {
            margins: vec![normal_scores(rows); d],
            clouds: clouds(scaled(&parts, |values| {
                standardised(values).map(|_| scores_of_shuffled(values, &mut rng))
            })),
        };
        let on_values = Space { margins: value_margins.clone(), clouds: clouds(by_value) };

        let cycles = if quick { CYCLES / 4 } else { CYCLES };
        for cycle in 0..cycles {
            let share = LAST_SHARE.powf(cycle as f64 / (cycles - 1) as f64);
            on_scores.cycle(Directions::Drawn, share, &mut orders, &mut rng);
            if 2 * cycle >= cycles {
                on_values.cycle(Directions::Flat, FLAT_SHARE, &mut orders, &mut rng);
            }
            if !progress(0.2 + 0.5 * (cycle + 1) as f64 / cycles as f64) {
                return None;
            }
        }

        let scales = [(&value_margins[..], &values), (&rank_margins[..], &ranks)];
        let both_scales_of_pairs = (d * (d - 1)) as f64;
        let mut swaps = Swaps::new(orders, &scales);
        let proposals = PROPOSALS / if quick { 4.0 } else { 1.0 }
            * (d as f64 / PROPOSALS_EVENTS).max(1.0)
            * (rows as f64 / PROPOSALS_ROWS).max(1.0);
        let told = |share: f64| progress(0.7 + 0.2 * share);
        if !swaps.improve(proposals as usize, FAR, both_scales_of_pairs * ENOUGH * ENOUGH, &mut rng, &told) {
            return None;
        }
        let mut orders = swaps.into_orders();
        if on_values.has_flat_clouds() {
            let bearable = both_scales_of_pairs * BEARABLE * BEARABLE;
            let mut flattened = orders.clone();
            for round in 0..FLATTENINGS {
                for _ in 0..FLAT_CYCLES {
                    on_values.cycle(Directions::Flat, FLAT_SHARE, &mut flattened, &mut rng);
                }
                let mut swaps = Swaps::new(flattened, &scales);
                let told = |share: f64| progress(0.9 + 0.1 * (round as f64 + share) / FLATTENINGS as f64);
                if !told(0.0) || !swaps.improve(proposals as usize / 10, NEAR, bearable, &mut rng, &told) {
                    return None;
                }
                let is_bearable = swaps.error() <= bearable;
                flattened = swaps.into_orders();
                if is_bearable {
                    orders.clone_from(&flattened);
                }
            }
        }
        Some(Made { margins, orders, asked: values })
    }
}

/// The columns of each block on a scale; what never changes in a block has none there.
fn scaled(parts: &[Vec<(usize, &[f64])>], mut scale: impl FnMut(&[f64]) -> Option<Vec<f64>>) -> Vec<Scaled> {
    let mut of = |part: &Vec<(usize, &[f64])>| {
        part.iter().filter_map(|(event, values)| Some((*event, scale(values)?))).collect()
    };
    parts.iter().map(&mut of).collect()
}

/// The correlations asked, on each scale; they are independent of each other, so each has a thread.
fn targets(
    d: usize,
    scales: [&[Scaled]; 3],
    progress: &(dyn Fn(f64) -> bool + Sync),
) -> Option<[DMatrix<f64>; 3]> {
    let done = AtomicUsize::new(0);
    let told = || progress(0.2 * done.fetch_add(1, Ordering::Relaxed) as f64 / (3 * STEPS) as f64);
    let target = |blocks: &[Scaled]| {
        let held = blocks.iter().filter(|columns| !columns.is_empty());
        let covariances: Vec<Covariances> = held.map(|columns| Covariances::of(columns)).collect();
        likeliest(d, &covariances, STEPS, &told)
    };
    let [first, second, third] = std::thread::scope(|scope| {
        scales.map(|scale| scope.spawn(|| target(scale))).map(|thread| thread.join().expect("no panic"))
    });
    Some([first?, second?, third?])
}

/// Normal scores by rank; ties are broken by chance, or else rows that tie would keep the order of the file.
fn scores_of_shuffled(values: &[f64], rng: &mut ChaCha8Rng) -> Vec<f64> {
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.shuffle(rng);
    order.sort_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]));
    let mut scores = vec![0.0; values.len()];
    lay_out(&normal_scores(values.len()), &order, &mut scores);
    scores
}

/// Blocks of a column alone have nothing to say but its distribution.
fn clouds(blocks: Vec<Scaled>) -> Vec<Cloud> {
    blocks.into_iter().filter(|columns| columns.len() > 1).map(Cloud::new).collect()
}

#[cfg(test)]
mod tests;
