//! Where text, patterns and searchers lie in memory. The places are drawn anew for each round, so that no
//! algorithm owes its time to one lucky place. They are multiples of a cache line from the begin of a page,
//! because an algorithm may need memory that is aligned to one.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::worker::MemoryOffsets;

/// Bytes of a cache line.
const CACHE_LINE: usize = 64;
/// Cache lines of a page, which are the places to choose from.
const LINES_OF_PAGE: usize = 64;

/// Draws the places of a round: first those of the texts, which all algorithms share, then those of each
/// algorithm.
#[derive(Debug)]
pub(crate) struct Placement(ChaCha8Rng);

impl Placement {
    /// The places of a round. The constant (`placemen` in ASCII) keeps them apart from everything else that
    /// the seed draws.
    pub(crate) fn for_round(seed: u64, round: usize) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x706c_6163_656d_656e);
        rng.set_stream(round as u64);
        Placement(rng)
    }

    /// The number of bytes from the begin of a page to the next text.
    pub(crate) fn text(&mut self) -> usize {
        self.draw()
    }

    /// The places for the memory of the next algorithm.
    pub(crate) fn worker(&mut self) -> MemoryOffsets {
        MemoryOffsets { pattern: self.draw(), searcher: self.draw() }
    }

    fn draw(&mut self) -> usize {
        CACHE_LINE * self.0.random_range(0..LINES_OF_PAGE)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn places_are_lines_of_a_page_that_the_seed_decides() {
        let texts = |seed| (0..50).map(|round| Placement::for_round(seed, round).text()).collect::<Vec<_>>();
        assert_eq!(texts(1), texts(1));
        assert_ne!(texts(1), texts(2));
        assert!(texts(1).iter().all(|place| place % CACHE_LINE == 0 && *place < 4096));
        assert!(texts(1).into_iter().collect::<HashSet<_>>().len() > 20);
        let mut placement = Placement::for_round(1, 0);
        let workers: HashSet<usize> = (0..50).map(|_| placement.worker().searcher).collect();
        assert!(workers.len() > 20, "algorithms have places of their own");
    }
}
