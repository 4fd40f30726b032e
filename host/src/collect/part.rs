//! One of the runs that a collection is made of: a sub-experiment, or all events at once.

use std::fmt;

use super::Found;
use crate::experiment::definition::{Experiment, Stats};
use crate::plan::Plan;

/// Which run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// All events at once.
    Ideal,
    /// The sub-experiment of this number, from 0.
    Block(usize),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Ideal => f.write_str("ideal"),
            Part::Block(number) => write!(f, "block-{}", number + 1),
        }
    }
}

impl Part {
    /// The runs of a plan, in order: whether all can be measured at once is known first.
    pub fn all(plan: &Plan, ideal: bool) -> Vec<Part> {
        let blocks = (0..plan.blocks.len()).map(Part::Block);
        ideal.then_some(Part::Ideal).into_iter().chain(blocks).collect()
    }

    /// The events that it counts, as the plan calls them.
    pub fn events(self, plan: &Plan) -> Vec<&str> {
        match self {
            Part::Ideal => plan.events(),
            Part::Block(number) => plan.blocks[number].events.iter().map(String::as_str).collect(),
        }
    }

    /// The run. With `fresh`, each draws with a seed of its own.
    pub fn experiment(self, template: &Experiment, plan: &Plan, found: &[Found], fresh: bool) -> Experiment {
        let of_block = |found: &&Found| self.events(plan).contains(&found.name.as_str());
        let counters: Vec<String> = found
            .iter()
            .filter(of_block)
            .filter_map(|found| found.counter.as_ref().map(|_| found.name.clone()))
            .collect();
        let seed = match self {
            Part::Block(number) if fresh => template.seed.map(|seed| seed.wrapping_add(1 + number as u64)),
            _ => template.seed,
        };
        Experiment {
            stats: if counters.is_empty() { Stats::Algo } else { Stats::Perf },
            counters,
            seed,
            description: self.to_string(),
            ..template.clone()
        }
    }
}
