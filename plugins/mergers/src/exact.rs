//! exact: one table of measured values with given correlations, as close as a table of this number of rows
//! can have them.
//!
//! Each event keeps its distribution, pooled over the blocks. Rows are drawn with the requested correlations
//! (as `auto` begins). Then each column in turn is ordered again by itself plus a share of the others, and at
//! last pairs of values change places. The correlations agree to many digits, but shapes and tails between
//! events are not kept; `auto` keeps them. `O(passes d n log n + d^4)`, and a million swaps of O(d).
//!
//! Source: our own; to order a column by a target is an idea of R. L. Iman, W. J. Conover, A
//! distribution-free approach to inducing rank correlation among input variables, Communications in
//! Statistics B 11(3), 1982.

use assay_plugin_api::{Block, Merged, Merger, Options, register};
use nalgebra::{DMatrix, DVector};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::auto::correlations::{Covariances, likeliest};
use crate::auto::margins::{margin, standard_margin};
use crate::auto::standard::standardised;
use crate::auto::swaps::Swaps;
use crate::auto::{INTERRUPTED, MOST_ROWS, ROWS, SEED, columns, parts, start, without_correlation};
use crate::diagnosis::{Asked, Diagnosis, counted};
use crate::nearest::nearest;
use crate::pairs::Design;
use crate::ranks::{lay_out, order};
use crate::settings::rows;
use target::Target;

mod target;

/// Number of times that each column is ordered again.
const PASSES: usize = 10;
/// Added to the variances, so that the shares of the other columns stay small if these depend on each other.
const RIDGE: f64 = 1e-3;
/// Number of proposed swaps, which take a fraction of a second.
const PROPOSALS: usize = 1_000_000;
/// Share of all ranks over which values swap at first.
const REACH: f64 = 0.1;
/// Error of a correlation that is good enough.
const ENOUGH: f64 = 1e-7;
/// If the correlations contradict each other, this multiple of the least possible sum of squared errors is
/// good enough.
const NEAR_ENOUGH: f64 = 1.2;
/// Greatest number of steps of the estimate of correlations.
const STEPS: usize = 100;
/// If the distance of the target from the nearest possible correlations is greater than this, a note says so.
const CONTRADICTION: f64 = 1e-6;
/// Greatest number of pairs that a note names.
const MOST_NAMED: usize = 3;

const EXACT: Merger = Merger {
    id: "exact",
    summary: "Makes rows of measured values that have given correlations, by default those measured pair by pair, to many digits.",
    reference: "A combination of ordering by targets (Iman and Conover 1982) and exchanges of values",
    options: &[
        (
            "target",
            "text of a square CSV table of correlations with the names of events above and before it; those measured if left out",
        ),
        ("rows", "rows of the result; 1000 if left out"),
        ("seed", "decides what is drawn; 1 if left out"),
    ],
    merge,
    ..Merger::UNKNOWN
};
register!(merger EXACT);

/// The merge, as the host calls it.
///
/// # Errors
/// One sentence that names the block, event or option at fault.
pub fn merge<'a>(mut blocks: Vec<Block<'a>>, options: &Options<'_>) -> Result<Merged<'a>, String> {
    let rows = rows(options, MOST_ROWS)?.unwrap_or(ROWS);
    let seed = options.parse("seed")?.unwrap_or(SEED);
    let mut notes = Vec::new();
    if let Some(text) = options.get("target") {
        let target = Target::read(text)?;
        let measured = Design::new(&blocks)?.events;
        target.check_names(&measured)?;
        notes.extend(keep_events_of(&target, &mut blocks));
        let design = Design::new(&blocks)?;
        let asked = target.correlations(&design.events)?;
        return made(&design, (&asked, Asked::Given), rows, seed, notes, options);
    }
    let design = Design::new(&blocks)?;
    let asked = without_outliers(&design, options)?;
    made(&design, (&asked, Asked::Trimmed), rows, seed, notes, options)
}

/// Leaves out events that the target does not have, with a note.
fn keep_events_of(target: &Target, blocks: &mut Vec<Block<'_>>) -> Option<String> {
    let mut left_out: Vec<String> = Vec::new();
    for block in blocks.iter_mut() {
        block.columns.retain(|column| {
            let known = target.knows(&column.name);
            if !known && !left_out.contains(&column.name) {
                left_out.push(column.name.clone());
            }
            known
        });
    }
    blocks.retain(|block| !block.columns.is_empty());
    (!left_out.is_empty())
        .then(|| format!("left out, as the target does not name them: {}", left_out.join(", ")))
}

/// The correlations that were measured pair by pair, without outliers. Those of pairs that were never
/// measured together follow from all others.
fn without_outliers(design: &Design<'_>, options: &Options<'_>) -> Result<DMatrix<f64>, String> {
    let (d, pairs) = (design.events.len(), design.trimmed());
    let mut asked = DMatrix::identity(d, d);
    if pairs.iter().any(|pair| pair.blocks == 0) {
        let of = |part: &Vec<(usize, &[f64])>| {
            part.iter()
                .filter_map(|(event, values)| Some((*event, standardised(values)?)))
                .collect::<Vec<_>>()
        };
        let scaled = parts(design).iter().map(of).filter(|columns| !columns.is_empty()).collect::<Vec<_>>();
        let covariances: Vec<Covariances> = scaled.iter().map(|columns| Covariances::new(columns)).collect();
        asked = likeliest(d, &covariances, STEPS, &|| (options.progress)(0.0)).ok_or(INTERRUPTED)?;
    }
    for pair in pairs.iter().filter(|pair| pair.blocks > 0) {
        let (a, b) = pair.events;
        // An event that never changes correlates with none.
        let r = pair.correlation.unwrap_or(0.0);
        (asked[(a, b)], asked[(b, a)]) = (r, r);
    }
    Ok(asked)
}

fn made<'a>(
    design: &Design<'_>,
    (asked, kind): (&DMatrix<f64>, Asked),
    rows: usize,
    seed: u64,
    notes: Vec<String>,
    options: &Options<'_>,
) -> Result<Merged<'a>, String> {
    let margins: Vec<Vec<f64>> = (0..design.events.len()).map(|event| margin(design, event, rows)).collect();
    let scaled: Vec<Vec<f64>> = margins.iter().map(|margin| standard_margin(margin)).collect();
    let near = nearest(asked, 0.0);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let orders = start::orders(&start::correlated(&near.matrix, rows, &mut rng));
    let orders = ordered_by_others(orders, &scaled, &near.matrix);
    let mut swaps = Swaps::new(orders, &[(&scaled, asked)]);
    let pairs = asked.len() as f64 / 2.0;
    // The distance counts each pair twice.
    let least = near.distance * near.distance / 2.0;
    let enough = (pairs * ENOUGH * ENOUGH).max(least * NEAR_ENOUGH);
    if !swaps.improve(PROPOSALS, REACH, enough, &mut rng, &|share| (options.progress)(share)) {
        return Err(INTERRUPTED.to_owned());
    }
    let columns = columns(design, &margins, &swaps.into_orders());
    let mut merged = Merged { columns, notes, ..Merged::default() };
    merged.notes.push(format!("{}, seed {seed}", counted(rows, "row")));
    if near.distance > CONTRADICTION {
        let moved = near
            .moved(asked)
            .into_iter()
            .take(MOST_NAMED)
            .map(|(a, b, by)| format!("{} and {} by {by:+.1e}", design.events[a], design.events[b]));
        merged.notes.push(format!(
            "no table has all the correlations asked: the nearest that one can have is {:.1e} away (root of the sum of \
             squares), and moves most {}",
            near.distance,
            moved.collect::<Vec<_>>().join(", ")
        ));
    }
    merged.notes.extend(without_correlation(design));
    Diagnosis::new(design, design.measured()).report(&mut merged, kind, |pair| {
        let (a, b) = pair.events;
        let changes = |event: usize| margins[event].first() != margins[event].last();
        (changes(a) && changes(b)).then(|| asked[(a, b)])
    });
    Ok(merged)
}

/// Orders each column in turn by itself plus a share of the others, which brings its correlations closer to
/// the requested ones.
fn ordered_by_others(orders: Vec<Vec<u32>>, margins: &[Vec<f64>], asked: &DMatrix<f64>) -> Vec<Vec<u32>> {
    let (d, n) = (orders.len(), orders.first().map_or(0, Vec::len));
    let mut columns = DMatrix::zeros(n, d);
    for ((order, margin), mut column) in orders.iter().zip(margins).zip(columns.column_iter_mut()) {
        lay_out(margin, order, column.as_mut_slice());
    }
    let mut orders = orders;
    let mut reached = columns.tr_mul(&columns) / n as f64;
    for j in (0..PASSES).flat_map(|_| 0..d) {
        let ridged = reached.clone().remove_row(j).remove_column(j) + DMatrix::identity(d - 1, d - 1) * RIDGE;
        let missing = (asked.column(j) - reached.column(j)).remove_row(j);
        let Some(root) = ridged.cholesky() else { continue };
        let shares = root.solve(&missing).insert_row(j, 1.0);
        let wanted: DVector<f64> = &columns * shares;
        orders[j] = order(wanted.as_slice());
        lay_out(&margins[j], &orders[j], columns.column_mut(j).as_mut_slice());
        let row = columns.tr_mul(&columns.column(j)) / n as f64;
        reached.set_row(j, &row.transpose());
        reached.set_column(j, &row);
    }
    orders
}

#[cfg(test)]
mod tests;
