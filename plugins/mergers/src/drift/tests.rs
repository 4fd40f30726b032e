//! Drift that is known, and how often intervals have the true correlation with and without it.

use std::fmt::Write;

use assay_plugin_api::{Block, Column};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::*;
use crate::pairs::{Design, Pair};

fn drift(events: &[&[&[f64]]]) -> Vec<Drift> {
    Drift::of_events(events.iter().map(|blocks| blocks.iter().copied()))
}

#[test]
fn drift_is_the_component_of_the_variance_between_blocks() {
    // Within: deviations -1 0 1, so a variance of 1. Means 0 and 12: mean square between 216 of 3 rows each.
    let (low, high): (&[f64], &[f64]) = (&[-1.0, 0.0, 1.0], &[11.0, 12.0, 13.0]);
    let found = drift(&[&[low, high]])[0];
    assert_eq!((found.assumed, found.shown), (Some((216.0 - 1.0) / 3.0), Some((216.0 - 1.0) / 3.0)));
    assert_eq!(drift(&[&[low, low]])[0], Drift { assumed: Some(0.0), limit: Some(0.0), shown: None });
}

#[test]
fn the_limit_of_drift_is_that_of_the_distribution_f() {
    // Three blocks of three rows with means 0, 12 and 24: mean square between 432, within 1. A table of F has
    // 19.33 as the 95 % quantile of 6 and 2 degrees of freedom, whose reciprocal is the 5 % quantile of 2
    // and 6.
    let blocks: [[f64; 3]; 3] = [[-1.0, 0.0, 1.0], [11.0, 12.0, 13.0], [23.0, 24.0, 25.0]];
    let found = drift(&[&blocks.each_ref().map(|block| &block[..])])[0];
    assert_eq!(found.assumed, Some(431.0 / 3.0));
    let expected = (432.0 * 19.33 - 1.0) / 3.0;
    assert!((found.limit.unwrap() / expected - 1.0).abs() < 0.002, "{found:?}, not {expected}");
}

#[test]
fn an_event_of_one_block_drifts_as_the_others_do() {
    let (low, high): (&[f64], &[f64]) = (&[-1.0, 0.0, 1.0], &[11.0, 12.0, 13.0]);
    let constant: &[f64] = &[7.0; 3];
    let found = drift(&[&[low], &[low, high], &[high, low], &[low, low], &[constant, constant]]);
    let typical = found[1].assumed;
    assert!(found.iter().all(|drift| drift.assumed == typical), "{found:?}");
    assert_eq!(found[0].shown, None);
    assert_eq!(drift(&[&[low], &[high]]), [Drift::default(); 2], "nothing shows any");
}

/// Number of rows of a block. With more, the widening by drift would matter more than chance.
const ROWS: usize = 300;
/// Standard deviation of the counts, relative to their mean.
const VARIES: f64 = 0.1;
/// The correlation of any two events under the conditions of one block.
const RHO: f64 = 0.5;

/// How conditions change from block to block.
#[derive(Clone, Copy, PartialEq)]
enum Changes {
    Nothing,
    /// All counts are multiplied by one number.
    Common,
    /// Each event is multiplied by a number of its own.
    Own,
}

impl Changes {
    /// The correlation of rows from any number of blocks, where counts are multiplied by numbers with this
    /// standard deviation.
    fn across(self, size: f64) -> f64 {
        let ratio = (size / VARIES).powi(2);
        match self {
            Changes::Nothing => RHO,
            Changes::Common => (RHO + ratio) / (1.0 + ratio),
            Changes::Own => RHO / (1.0 + ratio),
        }
    }
}

/// Four blocks that hold `a` and `b`. The first also holds `c` and `d`.
fn blocks(changes: Changes, size: f64, rng: &mut ChaCha8Rng) -> Vec<Block<'static>> {
    let mut normal = || -> f64 { StandardNormal.sample(rng) };
    let mut block = |number: usize| {
        let common = 1.0 + size * normal();
        let factors: [f64; 4] = std::array::from_fn(|_| match changes {
            Changes::Nothing => 1.0,
            Changes::Common => common,
            Changes::Own => 1.0 + size * normal(),
        });
        let mut columns = [const { Vec::new() }; 4];
        for _ in 0..ROWS {
            let shared = RHO.sqrt() * normal();
            for (column, factor) in columns.iter_mut().zip(factors) {
                let own = (1.0 - RHO).sqrt() * normal();
                column.push(1000.0 * factor * (1.0 + VARIES * (shared + own)));
            }
        }
        let named = ["a", "b", "c", "d"].into_iter().zip(columns);
        let column =
            |(name, values): (&str, Vec<f64>)| Column { name: name.to_owned(), values: values.into() };
        Block {
            source: format!("{number}"),
            columns: named.take(if number == 0 { 4 } else { 2 }).map(column).collect(),
        }
    };
    (0..4).map(&mut block).collect()
}

/// The share of intervals, in percent, that have the correlation of one block and that of all, by chance
/// alone and widened by drift: of a pair of four blocks, then of a pair of one block.
fn coverage(changes: Changes, size: f64) -> [[u32; 4]; 2] {
    const TRIALS: u32 = 250;
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut held = [[0; 4]; 2];
    for _ in 0..TRIALS {
        let blocks = blocks(changes, size, &mut rng);
        let pairs = Design::new(&blocks).unwrap().measured();
        for (held, events) in held.iter_mut().zip([(0, 1), (2, 3)]) {
            let pair = *pairs.iter().find(|pair| pair.events == events).unwrap();
            let chance = Pair { drift: [0.0; 2], within: pair.correlation, ..pair };
            let truths = [RHO, changes.across(size)];
            let tried = [chance, pair].into_iter().flat_map(|pair| truths.map(|truth| (pair, truth)));
            for (held, (pair, truth)) in held.iter_mut().zip(tried) {
                let (low, high) = pair.interval().unwrap();
                *held += u32::from(low <= truth && truth <= high);
            }
        }
    }
    held.map(|of_pair| of_pair.map(|held| (100 * held + TRIALS / 2) / TRIALS))
}

#[test]
fn intervals_that_are_widened_by_drift_have_the_truth_as_the_book_shows() {
    let mut rows = String::new();
    for (changes, size, name) in [
        (Changes::Nothing, 0.0, "nothing"),
        (Changes::Common, 0.03, "all counts by one factor (3 %)"),
        (Changes::Own, 0.03, "each event by a factor of its own (3 %)"),
        (Changes::Common, 0.1, "all counts by one factor (10 %)"),
    ] {
        for (of_pair, held) in ["four", "one"].into_iter().zip(coverage(changes, size)) {
            let [chance_one, chance_all, one, all] = held;
            assert!(one >= 93 && all >= 93, "{name}, a pair of {of_pair}: {held:?}");
            writeln!(rows, "| {name} | {of_pair} | {chance_one} % | {chance_all} % | {one} % | {all} % |")
                .unwrap();
        }
    }
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/merging.md");
    let book = std::fs::read_to_string(book).unwrap();
    assert!(book.contains(&rows), "the table of the book should have these rows:\n{rows}");
}
