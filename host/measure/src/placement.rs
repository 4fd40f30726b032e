//! Where things lie in memory, drawn anew for each round, so that no algorithm owes its time to one lucky place. Text,
//! pattern and searcher move by multiples of a cache line; what is aligned to one stays so.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::worker::Offsets;

/// Bytes of a cache line.
const LINE: usize = 64;
/// Places within a page.
const LINES: usize = 64;

/// Draws the places of a round: first that of the text, which all share, then those of each algorithm.
#[derive(Debug)]
pub(crate) struct Placement(ChaCha8Rng);

impl Placement {
    /// The places of a round, decided by the seed.
    pub(crate) fn of_round(seed: u64, round: usize) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x706c_6163_656d_656e);
        rng.set_stream(round as u64);
        Placement(rng)
    }

    /// How many bytes after the beginning of a page the text begins.
    pub(crate) fn text(&mut self) -> usize {
        self.draw()
    }

    /// Where the next algorithm's memory begins.
    pub(crate) fn worker(&mut self) -> Offsets {
        Offsets { pattern: self.draw(), searcher: self.draw() }
    }

    fn draw(&mut self) -> usize {
        LINE * self.0.random_range(0..LINES)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn places_are_lines_of_a_page_that_the_seed_decides() {
        let texts = |seed| (0..50).map(|round| Placement::of_round(seed, round).text()).collect::<Vec<_>>();
        assert_eq!(texts(1), texts(1));
        assert_ne!(texts(1), texts(2));
        assert!(texts(1).iter().all(|place| place % LINE == 0 && *place < 4096));
        assert!(texts(1).into_iter().collect::<HashSet<_>>().len() > 20);
        let mut placement = Placement::of_round(1, 0);
        let workers: HashSet<usize> = (0..50).map(|_| placement.worker().searcher).collect();
        assert!(workers.len() > 20, "algorithms have places of their own");
    }
}
