//! Examples of experiments, for tests.

use std::time::Instant;

use assay_load::plugin::Kind;
use assay_load::plugin::testing::listing;

use super::calls::steps;
use super::definition::{Experiment, Order};
use super::patterns::{PatternSet, Patterns};
use super::points::Point;
use super::resolved::Resolved;
use super::rounds::Rounds;
use super::selection::Chosen;
use super::text::Text;

/// An algorithm that takes part.
pub fn hor() -> Chosen {
    Chosen { id: "hor".to_owned(), listing: listing(Kind::Algorithm, "hor", "", "") }
}

/// An experiment with the algorithms `a0`, `a1` .. and patterns of 2 and of 3 bytes.
pub fn example(algorithms: usize, runs: usize) -> Resolved {
    let chosen = |algorithm: usize| Chosen {
        id: format!("a{algorithm}"),
        listing: listing(Kind::Algorithm, &format!("a{algorithm}"), "", ""),
    };
    let point = |length| Point {
        value: length as u64,
        set: PatternSet { length, patterns: Patterns::Drawn(vec![0; runs]) },
        steps: steps(&[0], &[]),
        lanes: Vec::new(),
        threads: 1,
        bytes: 4,
        rounds: Rounds::new(runs, 1),
    };
    Resolved {
        experiment: Experiment { runs, order: Order::Sequential, ..Experiment::default() },
        seed: 1,
        algorithms: (0..algorithms).map(chosen).collect(),
        texts: vec![Text { bytes: b"abcd".to_vec().into(), sources: Vec::new() }],
        points: vec![point(2), point(3)],
        counters: Vec::new(),
        counter_libraries: Vec::new(),
        failed_backends: Vec::new(),
        event_sets: Vec::new(),
        relations: Vec::new(),
        launch: None,
        cpu: None,
        team: Vec::new(),
        since: Instant::now(),
    }
}

impl Resolved {
    /// This experiment in interleaved order, with `runs` repetitions in `rounds` rounds.
    pub fn in_rounds(mut self, runs: usize, rounds: usize) -> Resolved {
        let experiment = &mut self.experiment;
        (experiment.runs, experiment.rounds, experiment.order) = (runs, rounds, Order::Interleaved);
        self.points.iter_mut().for_each(|point| point.rounds = Rounds::new(runs, rounds));
        self
    }
}
