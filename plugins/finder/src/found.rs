//! Receivers of the occurrences that a search finds.

/// Receives the occurrences, in ascending order.
pub trait Found {
    /// Whether it matters where the pattern occurs. If not, a search may report only how often, with
    /// [`many`](Found::many).
    const POSITIONS: bool;

    /// Whether an occurrence is reported before the search goes on. If not, candidates are gathered and
    /// verified together.
    const AT_ONCE: bool = false;

    /// The pattern occurs at this position of the text.
    fn at(&mut self, position: usize);

    /// The pattern occurs at `base + i` for each bit `i` that is set.
    #[inline(always)]
    fn mask(&mut self, base: usize, mut bits: u64) {
        while bits != 0 && !self.is_full() {
            self.at(base + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }

    /// The first position that still matters: a search need not report occurrences before it.
    #[inline(always)]
    fn from(&self) -> usize {
        0
    }

    /// Whether no further occurrence matters, so that the search may end.
    #[inline(always)]
    fn is_full(&self) -> bool {
        false
    }

    /// Adds this number of occurrences. Called only where positions don't matter.
    fn many(&mut self, occurrences: u64);
}

/// The number of occurrences.
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

/// The first occurrence.
#[derive(Clone, Copy, Debug, Default)]
pub struct First(pub Option<usize>);

impl Found for First {
    const POSITIONS: bool = true;
    const AT_ONCE: bool = true;

    #[inline(always)]
    fn at(&mut self, position: usize) {
        self.0 = Some(position);
    }

    #[inline(always)]
    fn is_full(&self) -> bool {
        self.0.is_some()
    }

    fn many(&mut self, _: u64) {
        unreachable!("positions matter");
    }
}

/// The last occurrence.
#[derive(Clone, Copy, Debug, Default)]
pub struct Last(pub Option<usize>);

impl Found for Last {
    const POSITIONS: bool = true;

    #[inline(always)]
    fn at(&mut self, position: usize) {
        self.0 = Some(position);
    }

    #[inline(always)]
    fn mask(&mut self, base: usize, bits: u64) {
        if bits != 0 {
            self.0 = Some(base + bits.ilog2() as usize);
        }
    }

    fn many(&mut self, _: u64) {
        unreachable!("positions matter");
    }
}
