//! Receivers of the occurrences that a search finds.

/// Receives the occurrences that a search finds. Overlapping occurrences all count; they may come in any
/// order.
pub trait Found {
    /// Whether it matters where the pattern occurs. If not, a search may report only how often, with
    /// [`many`](Found::many): vectors count faster than they find out positions.
    const POSITIONS: bool = true;

    /// The pattern occurs at this position of the text.
    fn at(&mut self, position: usize);

    /// The pattern occurs at `base + i` for each bit `i` that is set. Vector code finds up to 64 positions at
    /// once.
    fn mask(&mut self, base: usize, mut bits: u64) {
        while bits != 0 {
            self.at(base + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }

    /// The pattern occurs so many times more, wherever.
    ///
    /// # Panics
    /// If [positions](Found::POSITIONS) matter.
    fn many(&mut self, _occurrences: u64) {
        panic!("occurrences were reported without their positions");
    }
}

/// Counts occurrences.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count(pub u64);

impl Found for Count {
    const POSITIONS: bool = false;

    #[inline(always)]
    fn at(&mut self, _: usize) {
        self.0 += 1;
    }

    #[inline(always)]
    fn mask(&mut self, _: usize, bits: u64) {
        self.0 += u64::from(bits.count_ones());
    }

    #[inline(always)]
    fn many(&mut self, occurrences: u64) {
        self.0 += occurrences;
    }
}

/// Writes positions to a buffer. Positions that no longer fit are counted, but not kept.
#[derive(Debug)]
pub struct Positions<'a> {
    buffer: &'a mut [usize],
    found: u64,
}

impl<'a> Positions<'a> {
    /// A sink that fills `buffer` from its start.
    pub fn new(buffer: &'a mut [usize]) -> Self {
        Positions { buffer, found: 0 }
    }

    /// Number of occurrences so far, whether they fitted into the buffer or not.
    pub fn found(&self) -> u64 {
        self.found
    }
}

impl Found for Positions<'_> {
    #[inline]
    fn at(&mut self, position: usize) {
        if let Some(slot) = self.buffer.get_mut(self.found as usize) {
            *slot = position;
        }
        self.found += 1;
    }
}

/// Collects all positions, as they come.
impl Found for Vec<usize> {
    fn at(&mut self, position: usize) {
        self.push(position);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_reports_the_same_as_single_positions() {
        let (mut buffer, mut count) = ([0; 3], Count::default());
        let mut positions = Positions::new(&mut buffer);
        positions.mask(100, 1 << 63 | 0b101);
        count.mask(100, 1 << 63 | 0b101);
        assert_eq!((positions.found(), count.0), (3, 3));
        count.at(7);
        count.at(7);
        assert_eq!(count.0, 5);
        assert_eq!(buffer, [100, 102, 163]);
    }

    #[test]
    fn occurrences_without_positions_are_counted_and_refused_where_positions_matter() {
        let mut count = Count(1);
        count.many(41);
        assert_eq!(count.0, 42);
        const { assert!(!Count::POSITIONS && Positions::POSITIONS && <Vec<usize>>::POSITIONS) };
        assert!(std::panic::catch_unwind(|| Vec::new().many(1)).is_err());
    }

    #[test]
    fn positions_beyond_the_buffer_are_still_counted() {
        let mut buffer = [0; 1];
        let mut positions = Positions::new(&mut buffer);
        positions.at(7);
        positions.at(8);
        assert_eq!(positions.found(), 2);
        assert_eq!(buffer, [7]);
    }

    #[test]
    fn a_list_takes_positions_as_they_come_and_nothing_of_an_empty_mask() {
        let mut list = Vec::new();
        list.at(9);
        list.mask(64, 0);
        list.mask(64, 0b1010);
        assert_eq!(list, [9, 65, 67]);
    }
}
