//! The steps of the merge, one after the other, and how far each goes.

use std::sync::atomic::{AtomicUsize, Ordering};

use nalgebra::DMatrix;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::correlations::{Covariances, likeliest};
use super::margins::{margin, standard_margin};
use super::standard::{Scaled, mid_ranks, normal_scores, scores_by_rank, standardised};
use super::swaps::Swaps;
use super::transport::{Cloud, Directions, Space};
use super::{parts, start};
use crate::pairs::Design;
use crate::ranks::lay_out;

/// Greatest number of steps of the estimate of correlations.
const STEPS: usize = 100;
/// Number of times that the rows are moved towards all blocks, if they look like them from the beginning.
const FEW_CYCLES: usize = 10;
/// The same if they don't, because the blocks have shapes that no correlation shows.
const CYCLES: usize = 40;
/// Distance from the blocks, relative to that of two draws from one distribution, up to which rows look like
/// them: normal scores of two draws are 0.3 to 1.5 apart, and shapes such as curves 10 or more.
const ALIKE: f64 = 3.0;
/// Share of the way that rows move in the last cycle; in the first it is 1.
const LAST_SHARE: f64 = 0.1;
/// Share of the way that rows move along directions in which the columns of a block depend on each other.
const FLAT_SHARE: f64 = 0.7;
/// Number of times that such moves and swaps take turns at the end.
const FLATTENINGS: usize = 4;
/// Number of such moves each time.
const FLAT_CYCLES: usize = 5;
/// Distance from the blocks along these directions, relative to that of two draws, from which rows need no
/// such moves: the relation then holds to 10^-5 of the variance for a thousand rows.
const FLAT: f64 = 0.005;
/// They also end if a round begins with more than this share of the distance with which the round before
/// began, because swaps then undo what the moves do.
const STILL_FALLING: f64 = 0.8;
/// Mean error of correlations that is good enough, because in any measurement chance moves them farther than
/// this from the truth.
const ENOUGH: f64 = 0.003;
/// Greatest mean error of correlations that is accepted so that columns depend on each other as they should.
const BEARABLE: f64 = 0.01;
/// Share of all ranks over which values swap at first.
const FAR: f64 = 0.1;
/// The same at the end, when values should move little.
const NEAR: f64 = 0.01;
/// Number of proposed swaps. It grows in proportion if there are more events or rows than the following.
const PROPOSALS: f64 = 1e6;
const PROPOSALS_EVENTS: f64 = 31.0;
const PROPOSALS_ROWS: f64 = 1000.0;

/// How much work a merge may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// As long as it improves the result.
    Full,
    /// A quarter of the swaps, and few cycles for any shape.
    Quick,
    /// Only the correlations of values are right, for trials that look at nothing else.
    Draft,
}

/// A result, and the correlations that were requested of it.
pub struct Made {
    /// For each event: its values in ascending order.
    pub margins: Vec<Vec<f64>>,
    /// For each event: the row of each rank.
    pub orders: Vec<Vec<u32>>,
    /// The requested correlations of values.
    pub asked: DMatrix<f64>,
}

impl Made {
    /// Merges a design into a table of this number of rows. `None` if `progress` returned false.
    pub fn new(
        design: &Design<'_>,
        rows: usize,
        seed: u64,
        effort: Effort,
        progress: &(dyn Fn(f64) -> bool + Sync),
    ) -> Option<Self> {
        let (d, mut rng) = (design.events.len(), ChaCha8Rng::seed_from_u64(seed));
        if d == 0 {
            return Some(Made { margins: Vec::new(), orders: Vec::new(), asked: DMatrix::zeros(0, 0) });
        }
        let parts = parts(design);
        let by_value = scaled(&parts, standardised);
        let margins: Vec<Vec<f64>> = (0..d).map(|event| margin(design, event, rows)).collect();
        let value_margins: Vec<Vec<f64>> = margins.iter().map(|margin| standard_margin(margin)).collect();
        let exchange = |scales| Exchange {
            scales,
            pairs: (d * (d - 1)) as f64 / 2.0,
            proposals: PROPOSALS
                * effort.share_of_proposals()
                * (d as f64 / PROPOSALS_EVENTS).max(1.0)
                * (rows as f64 / PROPOSALS_ROWS).max(1.0),
        };
        if effort == Effort::Draft {
            let [values] = targets(d, [&by_value], progress)?;
            let orders = start::orders(&start::correlated(&values, rows, &mut rng));
            let exchange = exchange(vec![(&value_margins[..], &values)]);
            let (orders, _) =
                exchange.brought_to_asked(orders, &mut rng, &|share| progress(0.2 + 0.8 * share))?;
            return Some(Made { margins, orders, asked: values });
        }
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
        let rank_margins: Vec<Vec<f64>> =
            margins.iter().map(|margin| standard_margin(&mid_ranks(margin))).collect();
        let on_scores = Space {
            margins: vec![normal_scores(rows); d],
            clouds: clouds(scaled(&parts, |values| {
                standardised(values).map(|_| scores_of_shuffled(values, &mut rng))
            })),
        };
        let on_values = Space { margins: value_margins.clone(), clouds: clouds(by_value) };
        let exchange = exchange(vec![(&value_margins[..], &values), (&rank_margins[..], &ranks)]);
        // A short move, which shows the distance.
        let distance = on_scores.cycle(Directions::Drawn, LAST_SHARE, &mut orders, &mut rng);
        let attempts: &[usize] = match effort {
            Effort::Full if distance >= ALIKE => &[CYCLES],
            // If correlations stay far off, for example those that a few rows decide, it is tried with more
            // cycles.
            Effort::Full => &[FEW_CYCLES, CYCLES],
            Effort::Quick | Effort::Draft => &[FEW_CYCLES],
        };
        for (attempt, cycles) in attempts.iter().enumerate() {
            let progress =
                |share: f64| progress(0.2 + 0.7 * (attempt as f64 + share) / attempts.len() as f64);
            moved(&mut orders, [&on_scores, &on_values], *cycles, &mut rng, &|share| progress(0.7 * share))?;
            let error;
            (orders, error) =
                exchange.brought_to_asked(orders, &mut rng, &|share| progress(0.7 + 0.3 * share))?;
            if error <= exchange.of_all_pairs(BEARABLE) {
                break;
            }
        }
        if !progress(0.9) {
            return None;
        }
        let orders =
            exchange.flattened(orders, &on_values, &mut rng, &|share| progress(0.9 + 0.1 * share))?;
        Some(Made { margins, orders, asked: values })
    }
}

impl Effort {
    fn share_of_proposals(self) -> f64 {
        match self {
            Effort::Full => 1.0,
            Effort::Quick => 0.25,
            // The correlations of one scale, without shapes to keep, need few.
            Effort::Draft => 0.1,
        }
    }
}

/// Moves the rows towards all blocks this number of times. `None` if `progress` returned false.
fn moved(
    orders: &mut [Vec<u32>],
    [on_scores, on_values]: [&Space; 2],
    cycles: usize,
    rng: &mut ChaCha8Rng,
    progress: &dyn Fn(f64) -> bool,
) -> Option<()> {
    for cycle in 0..cycles {
        let share = LAST_SHARE.powf(cycle as f64 / (cycles - 1) as f64);
        on_scores.cycle(Directions::Drawn, share, orders, rng);
        if 2 * cycle >= cycles {
            on_values.cycle(Directions::Flat, FLAT_SHARE, orders, rng);
        }
        if !progress((cycle + 1) as f64 / cycles as f64) {
            return None;
        }
    }
    Some(())
}

/// Swaps values to improve the correlations.
struct Exchange<'m> {
    /// The scales, such as values and ranks, each with the requested correlations.
    scales: Vec<(&'m [Vec<f64>], &'m DMatrix<f64>)>,
    /// Number of pairs of events.
    pairs: f64,
    proposals: f64,
}

impl Exchange<'_> {
    /// The sum of squared errors where each correlation on each scale is off by this.
    fn of_all_pairs(&self, error: f64) -> f64 {
        self.scales.len() as f64 * self.pairs * error * error
    }

    /// Swaps values until the correlations are close to the requested ones. Returns the sum of squared
    /// errors, too. `None` if `progress` returned false.
    fn brought_to_asked(
        &self,
        orders: Vec<Vec<u32>>,
        rng: &mut ChaCha8Rng,
        progress: &dyn Fn(f64) -> bool,
    ) -> Option<(Vec<Vec<u32>>, f64)> {
        let mut swaps = Swaps::new(orders, &self.scales);
        let enough = self.of_all_pairs(ENOUGH);
        let is_done = swaps.improve(self.proposals as usize, FAR, enough, rng, progress);
        let error = swaps.error();
        is_done.then(|| (swaps.into_orders(), error))
    }

    /// Moves rows until columns that depend on each other in a block also do in the result, as far as the
    /// correlations stay acceptable. `None` if `progress` returned false.
    fn flattened(
        &self,
        mut orders: Vec<Vec<u32>>,
        on_values: &Space,
        rng: &mut ChaCha8Rng,
        progress: &dyn Fn(f64) -> bool,
    ) -> Option<Vec<Vec<u32>>> {
        if !on_values.has_flat_clouds() {
            return Some(orders);
        }
        let bearable = self.of_all_pairs(BEARABLE);
        let mut flattened = orders.clone();
        let (mut before, mut is_bearable) = (f64::INFINITY, false);
        for round in 0..FLATTENINGS {
            let distance = on_values.cycle(Directions::Flat, FLAT_SHARE, &mut flattened, rng);
            if distance < FLAT || is_bearable && distance > STILL_FALLING * before {
                break;
            }
            before = distance;
            for _ in 1..FLAT_CYCLES {
                on_values.cycle(Directions::Flat, FLAT_SHARE, &mut flattened, rng);
            }
            let mut swaps = Swaps::new(flattened, &self.scales);
            let progress = |share: f64| progress((round as f64 + share) / FLATTENINGS as f64);
            if !progress(0.0) || !swaps.improve(self.proposals as usize / 10, NEAR, bearable, rng, &progress)
            {
                return None;
            }
            is_bearable = swaps.error() <= bearable;
            flattened = swaps.into_orders();
            if is_bearable {
                orders.clone_from(&flattened);
            }
        }
        Some(orders)
    }
}

/// The columns of each block on a scale. Columns that never change are left out.
fn scaled(parts: &[Vec<(usize, &[f64])>], mut scale: impl FnMut(&[f64]) -> Option<Vec<f64>>) -> Vec<Scaled> {
    let mut columns = |part: &Vec<(usize, &[f64])>| {
        part.iter().filter_map(|(event, values)| Some((*event, scale(values)?))).collect()
    };
    parts.iter().map(&mut columns).collect()
}

/// The requested correlations on each scale. Each scale has a thread, because they are independent of each
/// other.
fn targets<const SCALES: usize>(
    d: usize,
    scales: [&[Scaled]; SCALES],
    progress: &(dyn Fn(f64) -> bool + Sync),
) -> Option<[DMatrix<f64>; SCALES]> {
    let done = AtomicUsize::new(0);
    let go_on = || progress(0.2 * done.fetch_add(1, Ordering::Relaxed) as f64 / (SCALES * STEPS) as f64);
    let target = |blocks: &[Scaled]| {
        let held = blocks.iter().filter(|columns| !columns.is_empty());
        let covariances: Vec<Covariances> = held.map(|columns| Covariances::new(columns)).collect();
        likeliest(d, &covariances, STEPS, &go_on)
    };
    let made = std::thread::scope(|scope| {
        scales.map(|scale| scope.spawn(|| target(scale))).map(|thread| thread.join().expect("no panic"))
    });
    let made: Vec<DMatrix<f64>> = made.into_iter().collect::<Option<_>>()?;
    made.try_into().ok()
}

/// Normal scores by rank. Ties are broken at random; otherwise tied rows would keep the order of the file.
fn scores_of_shuffled(values: &[f64], rng: &mut ChaCha8Rng) -> Vec<f64> {
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.shuffle(rng);
    order.sort_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]));
    let mut scores = vec![0.0; values.len()];
    lay_out(&normal_scores(values.len()), &order, &mut scores);
    scores
}

/// The clouds of the blocks with several columns. A single column only shows its distribution.
fn clouds(blocks: Vec<Scaled>) -> Vec<Cloud> {
    blocks.into_iter().filter(|columns| columns.len() > 1).map(Cloud::new).collect()
}
