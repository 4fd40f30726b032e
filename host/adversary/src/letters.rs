//! The alphabet of the inputs.

use assay_stats::draws::Draws;

use crate::input::SearchInput;

/// The letters from which patterns and texts are made: from `a` on, if they are no more than the alphabet
/// has, because people read the result; otherwise bytes from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Letters {
    first: u8,
    size: usize,
}

impl Letters {
    /// An alphabet of this size, from 1 to 256.
    pub(crate) fn new(size: usize) -> Self {
        Letters { first: if size <= 26 { b'a' } else { 0 }, size }
    }

    /// Number of letters.
    pub(crate) fn size(self) -> usize {
        self.size
    }

    /// The letter with this number; the last one if there are fewer.
    pub(crate) fn get(self, number: usize) -> u8 {
        self.first + number.min(self.size - 1) as u8
    }

    /// Any letter.
    pub(crate) fn draw(self, draws: &mut Draws) -> u8 {
        self.get(draws.below(self.size))
    }

    /// A letter for an input. Mostly it is one that the input has, because a foreign letter in a large
    /// alphabet hardly ever matches.
    pub(crate) fn draw_for(self, input: &SearchInput, draws: &mut Draws) -> u8 {
        match draws.below(4) {
            0 => self.draw(draws),
            1 => draws.choose(&input.block),
            _ => draws.choose(&input.pattern),
        }
    }
}
