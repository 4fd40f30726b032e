//! What the tests of this crate share: standings, lines, and a simulated clock.

use assay_stats::median;
use assay_stats::significance::{PLACEMENT_FLOOR, Ratio, Standing, standings};
use assay_stats::simulated::SimulatedMachine;
use rand_chacha::ChaCha8Rng;

use crate::grid::{CrossoverGrid, GridPoint};
use crate::search::{Crossover, CrossoverEnd};
use crate::standing::PointStandings;

/// Algorithms of which [`standings_of`] knows.
const ALGORITHMS: usize = 3;

/// Standings of three algorithms, of which these lead, and the others are twice as slow; none if none leads.
pub(crate) fn standings_of(leaders: &[usize]) -> PointStandings {
    let standing = |algorithm: usize| {
        let (rank, ratio) = if leaders.contains(&algorithm) { (1, 1.0) } else { (leaders.len() + 1, 2.0) };
        Standing { rank, to_best: Ratio { ratio, low: ratio, high: ratio } }
    };
    PointStandings((0..ALGORITHMS).map(|number| (!leaders.is_empty()).then(|| standing(number))).collect())
}

/// A grid of one line along pattern lengths, and what was measured on it.
pub(crate) fn line_of(
    lengths: &[usize],
    standings: impl Iterator<Item = PointStandings>,
) -> (CrossoverGrid, Crossover) {
    let grid = CrossoverGrid { lengths: lengths.to_vec(), alphabets: Vec::new(), text_sizes: vec![1 << 20] };
    let points = grid.points().into_iter().zip(standings).collect();
    (grid, Crossover { points, left: 0, end: CrossoverEnd::Complete })
}

/// Standings by the times of a simulated machine, of algorithms that truly take these times.
pub(crate) fn simulated(machine: SimulatedMachine, truths: &[f64], rng: &mut ChaCha8Rng) -> PointStandings {
    let times = machine.run(truths, rng);
    let medians: Vec<Option<f64>> = times
        .iter()
        .map(|samples| Some(median(&mut samples.iter().map(|sample| sample.time).collect::<Vec<f64>>())))
        .collect();
    let ranked = standings(&medians, PLACEMENT_FLOOR, |number| Ok::<_, ()>(times[number].clone()));
    PointStandings(ranked.expect("the times are here"))
}

/// A point by its length and its alphabet.
pub(crate) fn point(pattern_length: usize, alphabet: Option<usize>) -> GridPoint {
    GridPoint { text_bytes: 1 << 20, alphabet, pattern_length }
}
