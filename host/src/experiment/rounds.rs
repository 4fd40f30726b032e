//! Rounds: the repetitions of a run, cut into parts of the same size, of which each goes once through all pattern lengths
//! and algorithms.

use std::ops::Range;

/// How repetitions are divided among rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounds {
    repetitions: usize,
    rounds: usize,
}

impl Rounds {
    /// So many rounds, or as many as there are repetitions if these are less.
    pub fn new(repetitions: usize, rounds: usize) -> Self {
        Rounds { repetitions, rounds: rounds.min(repetitions).max(1) }
    }

    /// How many repetitions they have together.
    pub fn runs(&self) -> usize {
        self.repetitions
    }

    /// How many there are; a run that goes on has further ones of the same size.
    pub fn count(&self) -> usize {
        self.rounds
    }

    /// The repetitions of a round.
    pub fn repetitions(&self, round: usize) -> Range<usize> {
        self.before(round)..self.before(round + 1)
    }

    /// The round of a repetition.
    pub fn of(&self, repetition: usize) -> usize {
        scaled(repetition, self.rounds, self.repetitions)
    }

    /// How many repetitions lie before a round.
    pub fn before(&self, round: usize) -> usize {
        let before = (round as u128 * self.repetitions as u128).div_ceil(self.rounds as u128);
        usize::try_from(before).unwrap_or(usize::MAX)
    }
}

/// `number * by / of`, without overflow.
fn scaled(number: usize, by: usize, of: usize) -> usize {
    (number as u128 * by as u128 / of.max(1) as u128) as usize
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
                prop_assert!(part.clone().all(|repetition| rounds.of(repetition) == round));
                next = part.end;
            }
            prop_assert_eq!(next, repetitions);
            let beyond = rounds.repetitions(rounds.count());
            prop_assert_eq!((beyond.start, rounds.of(beyond.start)), (repetitions, rounds.count()));
        }
    }
}
