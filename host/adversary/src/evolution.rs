//! The evolution of inputs of one size: the best live on and have descendants.
//!
//! The caller asks for a brood, rates it, and hands it back, so nothing here knows how work is counted.

use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use assay_stats::draws::Draws;

use crate::input::{InputSize, SearchInput};
use crate::letters::Letters;
use crate::variation::{crossed, mutated};

/// An input with the work on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RatedInput {
    /// The input.
    pub(crate) input: SearchInput,
    /// The work.
    pub(crate) work: u64,
    /// Number of occurrences that the search reported.
    pub(crate) occurrences: u64,
}

/// Number of inputs that live on: several kinds of inputs, some of each.
const POPULATION: usize = 24;
/// Inputs of which more than this have the same work push out others that are worth changing.
const MOST_ALIKE: usize = 3;
/// One descendant in this number comes from a seed, because all others may be of one kind.
const FROM_SEEDS: usize = 8;
/// How often a descendant that was tried before is drawn again. Small inputs are soon exhausted.
const REDRAWS: usize = 20;

/// Inputs of one size, and what is known of them.
#[derive(Debug)]
pub(crate) struct Evolution {
    size: InputSize,
    letters: Letters,
    draws: Draws,
    /// The seeds; those before `next_seed` were asked for.
    seeds: Vec<SearchInput>,
    next_seed: usize,
    /// The best so far, best first.
    population: Vec<RatedInput>,
    /// Hashes of the inputs that were asked for.
    tried: HashSet<u64>,
}

impl Evolution {
    /// Begins with these seeds, of which there is at least one.
    pub(crate) fn new(size: InputSize, letters: Letters, seeds: Vec<SearchInput>, draws: Draws) -> Self {
        Evolution { size, letters, draws, seeds, next_seed: 0, population: Vec::new(), tried: HashSet::new() }
    }

    /// Inputs to be rated, at least one: the seeds, and after them descendants.
    pub(crate) fn brood(&mut self, most: usize) -> Vec<SearchInput> {
        (0..most.max(1)).map(|_| self.next()).collect()
    }

    fn next(&mut self) -> SearchInput {
        while let Some(seed) = self.seeds.get(self.next_seed).cloned() {
            self.next_seed += 1;
            if self.is_new(&seed) {
                return seed;
            }
        }
        let mut input = self.descendant();
        for _ in 0..REDRAWS {
            if self.is_new(&input) {
                break;
            }
            input = self.descendant();
        }
        input
    }

    /// Whether this input is asked for the first time.
    fn is_new(&mut self, input: &SearchInput) -> bool {
        self.tried.insert(BuildHasherDefault::<DefaultHasher>::default().hash_one(input))
    }

    fn descendant(&mut self) -> SearchInput {
        let parent = self.parent();
        let parent = if self.draws.below(4) == 0 {
            let other = self.parent();
            crossed(&parent, &other, self.size, &mut self.draws)
        } else {
            parent
        };
        mutated(&parent, self.size, self.letters, &mut self.draws)
    }

    /// The better one of two that are drawn, or a seed.
    fn parent(&mut self) -> SearchInput {
        let draws = &mut self.draws;
        if self.population.is_empty() || draws.below(FROM_SEEDS) == 0 {
            return self.seeds[draws.below(self.seeds.len())].clone();
        }
        let place = draws.below(self.population.len()).min(draws.below(self.population.len()));
        self.population[place].input.clone()
    }

    /// Takes the rated inputs of a brood. Of inputs with the same work, the one with the shorter block is the
    /// better one, because people understand it, and then the newer one, so that what makes no difference may
    /// still change.
    pub(crate) fn add(&mut self, rated: impl IntoIterator<Item = RatedInput>) {
        let newer: Vec<RatedInput> = rated.into_iter().collect();
        self.population.splice(..0, newer);
        self.population.sort_by_key(|rated| (std::cmp::Reverse(rated.work), rated.input.block.len()));
        let (mut work, mut alike) = (None, 0);
        self.population.retain(|rated| {
            alike = if work == Some(rated.work) { alike + 1 } else { 1 };
            work = Some(rated.work);
            alike <= MOST_ALIKE
        });
        self.population.truncate(POPULATION);
    }

    /// The best inputs so far, best first.
    pub(crate) fn best(&self) -> &[RatedInput] {
        &self.population
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::seeds;

    /// Rates each input by a function, for this number of inputs.
    fn evolved(seed: u64, searches: usize, rate: impl Fn(&SearchInput) -> u64) -> Vec<RatedInput> {
        let (size, letters) = (InputSize { pattern: 12, text: 96 }, Letters::new(4));
        let mut draws = Draws::new(seed);
        let mut evolution = Evolution::new(size, letters, seeds(size, letters, &mut draws), draws);
        for _ in 0..searches / 8 {
            let brood = evolution.brood(8).into_iter();
            let rated: Vec<_> =
                brood.map(|input| RatedInput { work: rate(&input), input, occurrences: 0 }).collect();
            evolution.add(rated);
        }
        evolution.best().to_vec()
    }

    /// How much of a pattern that no seed resembles an input has.
    fn likeness(input: &SearchInput) -> u64 {
        let hidden = b"cabdacbbdaca";
        let alike = |word: &[u8]| word.iter().zip(hidden).filter(|(one, other)| one == other).count() as u64;
        alike(&input.pattern) + alike(&input.text())
    }

    #[test]
    fn what_no_seed_holds_is_found_step_by_step() {
        let best = evolved(0, 4000, likeness);
        assert_eq!(best[0].work, 24, "{:?}", best[0]);
        assert!(best.is_sorted_by_key(|rated| std::cmp::Reverse(rated.work)) && best.len() <= POPULATION);
    }

    #[test]
    fn a_seed_decides_all() {
        assert_eq!(evolved(5, 800, likeness), evolved(5, 800, likeness));
        assert_ne!(evolved(5, 800, likeness), evolved(6, 800, likeness));
    }

    #[test]
    fn the_shorter_block_is_better_at_the_same_work() {
        let best = evolved(1, 2000, |_| 7);
        assert_eq!((best.len(), best[0].input.block.len()), (MOST_ALIKE, 1));
    }
}
