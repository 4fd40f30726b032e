//! Rounds: the repetitions of a point, divided into parts of equal size. Each round goes once through all
//! points and algorithms.

use std::ops::Range;

/// The rounds of a point: how its repetitions are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounds {
    repetitions: usize,
    rounds: usize,
}

impl Rounds {
    /// Divides the repetitions into this many rounds, or into one for each repetition if there are fewer.
    pub fn new(repetitions: usize, rounds: usize) -> Self {
        Rounds { repetitions, rounds: rounds.min(repetitions).max(1) }
    }

    /// Number of repetitions of all rounds together.
    pub fn runs(&self) -> usize {
        self.repetitions
    }

    /// Number of rounds that were asked for. A run that continues has further rounds of the same size.
    pub fn count(&self) -> usize {
        self.rounds
    }

    /// The repetitions of the round of this number, from 0.
    pub fn repetitions(&self, round: usize) -> Range<usize> {
        self.before(round)..self.before(round + 1)
    }

    /// The number of the round to which a repetition belongs.
    pub fn round_of(&self, repetition: usize) -> usize {
        // Without overflow, however many repetitions there are.
        (repetition as u128 * self.rounds as u128 / self.repetitions.max(1) as u128) as usize
    }

    /// Number of repetitions in all rounds before this one.
    pub fn before(&self, round: usize) -> usize {
        let before = (round as u128 * self.repetitions as u128).div_ceil(self.rounds as u128);
        usize::try_from(before).unwrap_or(usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ten_rounds_of_507_repetitions_have_50_or_51_each() {
        let rounds = Rounds::new(507, 10);
        let sizes: Vec<usize> = (0..rounds.count()).map(|round| rounds.repetitions(round).len()).collect();
        assert_eq!(sizes, [51, 51, 51, 50, 51, 51, 50, 51, 51, 50].map(|size| size));
        assert_eq!(Rounds::new(3, 10).count(), 3);
    }

    proptest! {
        #[test]
        fn every_repetition_belongs_to_the_round_that_has_it(
            repetitions in 1..5000usize, rounds in 1..200usize,
        ) {
            let rounds = Rounds::new(repetitions, rounds);
            let mut next = 0;
            for round in 0..rounds.count() {
                let part = rounds.repetitions(round);
                prop_assert_eq!(part.start, next);
                prop_assert!(!part.is_empty());
                prop_assert!(part.clone().all(|repetition| rounds.round_of(repetition) == round));
                next = part.end;
            }
            prop_assert_eq!(next, repetitions);
            let beyond = rounds.repetitions(rounds.count());
            prop_assert_eq!((beyond.start, rounds.round_of(beyond.start)), (repetitions, rounds.count()));
        }
    }
}
