//! Tests of the search for borders, on a simulated clock.

use std::cell::RefCell;
use std::time::Duration;

use assay_base::error::Error;
use assay_stats::simulated::{DRIFTING, SimulatedMachine};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::findings::{LineFindings, findings};
use crate::testing::simulated;

/// No budget that a test reaches.
const MUCH: WorkBudget = WorkBudget::Steps(10_000);

fn lengths() -> CrossoverGrid {
    CrossoverGrid {
        lengths: vec![2, 4, 8, 16, 32, 64, 128, 256],
        alphabets: Vec::new(),
        text_sizes: vec![1 << 20],
    }
}

/// Searches with a clock that is noisy or not: `truth` gives the times of the algorithms at a point.
fn searched(
    grid: &CrossoverGrid,
    budget: WorkBudget,
    machine: SimulatedMachine,
    truth: impl Fn(GridPoint) -> Vec<f64>,
) -> Crossover {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let measure = &mut |points: &[GridPoint]| {
        Ok(points.iter().map(|point| simulated(machine, &truth(*point), &mut rng)).collect())
    };
    search(grid, budget, measure, &mut |_, _| {}).expect("nothing fails")
}

fn only_line(grid: &CrossoverGrid, crossover: &Crossover) -> LineFindings {
    let mut lines = findings(grid, crossover);
    assert_eq!(lines.len(), 1);
    lines.remove(0)
}

/// A clock without any noise.
const QUIET: SimulatedMachine =
    SimulatedMachine { pattern: 0.0, noise: 0.0, tail: 0.0, drift: 0.0, ..DRIFTING };

#[test]
fn a_known_border_is_found_between_neighbours() {
    let crossover = searched(&lengths(), MUCH, QUIET, |point| {
        vec![1.0, if point.pattern_length < 11 { 2.0 } else { 0.5 }]
    });
    assert_eq!((crossover.end, crossover.left), (CrossoverEnd::Complete, 0));
    let line = only_line(&lengths(), &crossover);
    let borders: Vec<_> = line.overtakings.iter().map(|one| (one.low, one.high, one.tied)).collect();
    assert_eq!(borders, [(10, 11, None)]);
    assert!(crossover.points.len() <= 8 + 3, "8 to 16 takes three bisections: {}", crossover.points.len());
}

/// Much noise, so that many lengths around a border are tied.
const NOISY: SimulatedMachine = SimulatedMachine { noise: 0.1, ..DRIFTING };

/// The line of two algorithms of which the second overtakes the first at a length of 20.
fn noisy_line(seed: u64) -> LineFindings {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let truth = |point: &GridPoint| [1.0, (20.0 / point.pattern_length as f64).powf(0.2)];
    let measure = &mut |points: &[GridPoint]| {
        Ok(points.iter().map(|point| simulated(NOISY, &truth(point), &mut rng)).collect())
    };
    only_line(&lengths(), &search(&lengths(), MUCH, measure, &mut |_, _| {}).unwrap())
}

#[test]
fn a_border_in_noise_is_an_interval_that_holds_it() {
    let holds = |seed| {
        let line = noisy_line(seed);
        let [border] = &line.overtakings[..] else { return false };
        let is_tied = border.tied.is_some_and(|(least, greatest)| least <= 20 && 20 <= greatest);
        is_tied && (10..=20).contains(&border.low) && (20..=40).contains(&border.high)
    };
    let held = (0..100).filter(|seed| holds(*seed)).count();
    assert!(held >= 90, "{held} of 100");
}

#[test]
fn without_a_border_nothing_is_bisected() {
    let crossover = searched(&lengths(), MUCH, DRIFTING, |_| vec![1.5, 1.0]);
    assert_eq!(crossover.points.len(), 8);
    let line = only_line(&lengths(), &crossover);
    assert_eq!((line.overtakings.len(), line.last), (0, BTreeSet::from([1])));
}

#[test]
fn two_borders_are_both_found() {
    let crossover = searched(&lengths(), MUCH, QUIET, |point| {
        vec![1.0, if (5..=100).contains(&point.pattern_length) { 0.5 } else { 2.0 }]
    });
    let line = only_line(&lengths(), &crossover);
    let [first, second] = &line.overtakings[..] else { panic!("{:?}", line.overtakings) };
    assert_eq!((first.low, first.high), (4, 5));
    assert!(second.low <= 100 && 100 < second.high, "{second:?}");
    assert!(second.high as f64 <= NEAREST * second.low as f64 || second.high - second.low == 1, "{second:?}");
}

#[test]
fn algorithms_that_are_equal_are_tied_throughout() {
    let crossover = searched(&lengths(), MUCH, QUIET, |_| vec![1.0, 1.0]);
    let line = only_line(&lengths(), &crossover);
    assert_eq!((line.regions.len(), line.last), (1, BTreeSet::from([0, 1])));
}

#[test]
fn borders_along_alphabets_and_sizes_are_found_as_well() {
    let grid =
        CrossoverGrid { lengths: vec![8], alphabets: vec![2, 16, 128], text_sizes: vec![1 << 16, 1 << 20] };
    let crossover = searched(&grid, MUCH, QUIET, |point| {
        let is_large = point.text_bytes >= 300 << 10;
        vec![1.0, if is_large && point.alphabet > Some(20) { 0.5 } else { 2.0 }]
    });
    let lines = findings(&grid, &crossover);
    let borders: Vec<_> = lines
        .iter()
        .flat_map(|line| line.overtakings.iter().map(|one| (line.axis, one.low, one.high)))
        .collect();
    assert_eq!(borders[0], (GridAxis::Alphabet, 20, 21));
    let [(axis, low, high)] = borders[1..] else { panic!("{borders:?}") };
    assert_eq!(axis, GridAxis::TextBytes);
    assert!(low < 300 << 10 && 300 << 10 <= high && high as f64 <= NEAREST * low as f64, "{low} {high}");
    assert!(low % TEXT_STEP == 0 && high % TEXT_STEP == 0);
}

#[test]
fn points_of_a_batch_share_their_text() {
    let grid = CrossoverGrid { lengths: vec![2, 64], alphabets: vec![2, 64], text_sizes: vec![1 << 20] };
    let batches = RefCell::new(Vec::new());
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let measure = &mut |points: &[GridPoint]| {
        batches.borrow_mut().push(points.to_vec());
        let truth = |point: &GridPoint| [10.0, point.pattern_length as f64];
        Ok(points.iter().map(|point| simulated(QUIET, &truth(point), &mut rng)).collect())
    };
    search(&grid, MUCH, measure, &mut |_, _| {}).unwrap();
    for batch in batches.borrow().iter() {
        assert!(batch.iter().all(|point| point.has_text_of(batch[0])), "{batch:?}");
    }
    assert_eq!(batches.borrow()[0].len(), 2);
}

#[test]
fn a_budget_ends_the_search_with_what_it_has() {
    let border = |point: GridPoint| vec![1.0, if point.pattern_length < 100 { 2.0 } else { 0.5 }];
    for (budget, left) in [(5, 3), (9, 1)] {
        let crossover = searched(&lengths(), WorkBudget::Steps(budget), QUIET, border);
        assert_eq!((crossover.points.len(), crossover.end), (budget, CrossoverEnd::BudgetUsed));
        assert_eq!(crossover.left, left, "{budget}");
    }
    let crossover = searched(&lengths(), WorkBudget::Time(Duration::ZERO), QUIET, border);
    assert_eq!((crossover.points.len(), crossover.left), (0, 8));
}

#[test]
fn an_interruption_keeps_what_was_measured_and_another_error_does_not() {
    let run = |error: &dyn Fn() -> Error| {
        let mut calls = 0;
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let measure = &mut |points: &[GridPoint]| {
            calls += 1;
            if calls > 1 {
                return Err(error());
            }
            let truth = |point: &GridPoint| [10.0, point.pattern_length as f64];
            Ok(points.iter().map(|point| simulated(QUIET, &truth(point), &mut rng)).collect())
        };
        search(&lengths(), MUCH, measure, &mut |_, _| {})
    };
    let crossover = run(&|| Error::interruption("interrupted")).unwrap();
    assert_eq!((crossover.points.len(), crossover.end), (8, CrossoverEnd::Interrupted));
    assert!(run(&|| Error::new("no worker")).is_err());
}

#[test]
fn a_middle_lies_between() {
    let pairs = [(2, 4), (8, 16), (2, 3), (100, 104)];
    let middles = pairs.map(|(low, high)| middle(GridAxis::PatternLength, low, high));
    assert_eq!(middles, [Some(3), Some(11), None, None]);
    assert_eq!(middle(GridAxis::TextBytes, 1 << 16, 1 << 17), Some(90 << 10));
    assert_eq!(middle(GridAxis::TextBytes, 1025, 1100), Some(1062), "there is no room");
}
