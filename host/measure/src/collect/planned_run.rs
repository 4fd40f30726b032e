//! One of the runs that a collection is made of: a sub-experiment, or all events at once.

use std::fmt;

use assay_experiment::definition::{Experiment, Stats};
use assay_experiment::patterns::rng_of;
use assay_merge::plan::Plan;
use rand_chacha::rand_core::Rng;

use super::{PlannedEvent, SlowCell};

/// Keeps what a collection draws apart from all else that its seed decides.
const COLLECTION: u64 = 0x636f_6c6c_6563_7421;

/// Which run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlannedRun {
    /// All events at once.
    Ideal,
    /// The sub-experiment of this number, from 0.
    Block(usize),
}

impl fmt::Display for PlannedRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlannedRun::Ideal => f.write_str("ideal"),
            PlannedRun::Block(number) => write!(f, "block-{}", number + 1),
        }
    }
}

impl PlannedRun {
    /// The runs of a plan, in order: whether all can be measured at once is known first.
    pub fn all(plan: &Plan, ideal: bool) -> Vec<PlannedRun> {
        let blocks = (0..plan.blocks.len()).map(PlannedRun::Block);
        ideal.then_some(PlannedRun::Ideal).into_iter().chain(blocks).collect()
    }

    /// The events that it counts, as the plan calls them.
    pub fn events(self, plan: &Plan) -> Vec<&str> {
        match self {
            PlannedRun::Ideal => plan.events(),
            PlannedRun::Block(number) => plan.blocks[number].events.iter().map(String::as_str).collect(),
        }
    }

    /// The run: with the text of all parts, and patterns of its own unless all are to have the same.
    pub fn experiment(
        self,
        template: &Experiment,
        plan: &Plan,
        found: &[PlannedEvent],
        same_patterns: bool,
    ) -> Experiment {
        let events = self.events(plan);
        let of_part = found.iter().filter(|found| events.contains(&found.name.as_str()));
        let counters: Vec<String> =
            of_part.filter(|found| found.counter.is_some()).map(|found| found.name.clone()).collect();
        let mut experiment = Experiment {
            stats: if counters.is_empty() { Stats::Algo } else { Stats::Perf },
            counters,
            description: [template.description.as_str(), &self.to_string()].join(" ").trim().to_owned(),
            ..template.clone()
        };
        if let (false, Some(seed)) = (same_patterns, template.seed) {
            experiment.seed = Some(self.seed(seed));
            if experiment.text.corpus.is_some() {
                experiment.text.seed = template.text.seed.or(template.seed);
            }
        }
        experiment
    }

    /// The run that measures what is left of a slow cell, with patterns of its own; `number` is that of the
    /// part's run, from 1.
    pub fn rest(self, mut experiment: Experiment, cell: &SlowCell, number: usize) -> Experiment {
        experiment.algorithms = vec![cell.algorithm.clone()];
        if experiment.patterns.given.is_none() {
            experiment.patterns.lengths = vec![cell.pattern_length];
        }
        experiment.runs = cell.remaining();
        if let Some(seed) = experiment.seed {
            if experiment.text.corpus.is_some() {
                experiment.text.seed = experiment.text.seed.or(Some(seed));
            }
            experiment.seed = Some(rng_of(seed ^ COLLECTION, number).next_u64() >> 1);
        }
        experiment
    }

    /// A seed of its own, which no part of another collection has: a sum of seed and number would be shared.
    fn seed(self, of_collection: u64) -> u64 {
        // A seed is a number that TOML has.
        rng_of(of_collection ^ COLLECTION, self.number()).next_u64() >> 1
    }

    /// 0 for all events at once, then the sub-experiments.
    pub fn number(self) -> usize {
        match self {
            PlannedRun::Ideal => 0,
            PlannedRun::Block(number) => 1 + number,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_part_of_every_collection_has_a_seed_of_its_own() {
        let parts = || std::iter::once(PlannedRun::Ideal).chain((0..20).map(PlannedRun::Block));
        let seeds: Vec<u64> =
            (1..20).flat_map(|seed| parts().map(move |part| part.seed(seed))).chain(1..20).collect();
        assert_eq!(seeds.iter().collect::<HashSet<_>>().len(), seeds.len());
        assert!(seeds.iter().all(|seed| *seed < 1 << 63));
        assert_eq!(PlannedRun::Block(3).seed(7), PlannedRun::Block(3).seed(7));
    }

    #[test]
    fn the_rest_of_a_slow_cell_has_its_text_and_other_patterns() {
        let mut experiment = Experiment { seed: Some(5), ..Experiment::default() };
        experiment.algorithms = vec!["hor".to_owned(), "bm".to_owned()];
        experiment.text.corpus = Some("rand4".to_owned());
        let algorithm = "bm".to_owned();
        let cell = SlowCell { algorithm, pattern_length: 8, measured: 10, slow: 1, asked: 40 };
        let rest = |number| PlannedRun::Block(0).rest(experiment.clone(), &cell, number);
        let first = rest(1);
        assert_eq!((first.algorithms.as_slice(), first.runs), (&["bm".to_owned()][..], 29));
        assert_eq!((first.patterns.lengths.as_slice(), first.text.seed), (&[8][..], Some(5)));
        assert!(first.seed != Some(5) && first.seed != rest(2).seed);
    }

    #[test]
    fn parts_have_the_text_in_common_and_patterns_only_if_asked() {
        let block = "[[block]]\nevents = [\"stats:jumps\"]\n";
        let plan: Plan = toml::from_str(&format!("method = \"much\"\ncounters = 1\n{block}{block}")).unwrap();
        let mut template = Experiment { seed: Some(5), ..Experiment::default() };
        template.text.corpus = Some("rand4".to_owned());
        let experiments = |same| -> Vec<Experiment> {
            PlannedRun::all(&plan, true)
                .into_iter()
                .map(|part| part.experiment(&template, &plan, &[], same))
                .collect()
        };
        assert!(experiments(true).iter().all(|part| (part.seed, part.text.seed) == (Some(5), None)));
        let own = experiments(false);
        assert!(own.iter().all(|part| part.text.seed == Some(5)));
        assert_eq!(own.iter().map(|part| part.seed).collect::<HashSet<_>>().len(), 3);
    }
}
