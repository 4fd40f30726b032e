//! Shifts by the four characters beyond a window, and two windows that approach each other with them.

use assay_plugin_api::HashTableView;
use assay_plugin_api::prelude::*;
use assay_shared::filled::Filled;

use crate::grams::spread_word;

/// Number of characters that give a shift.
pub(super) const FOUR: usize = 4;

/// Bits of their hash.
const BITS: u32 = 16;

/// For each hash of four characters, the shift to where the pattern has them last; 0 if it has them nowhere.
#[derive(Default)]
pub(super) struct FourShifts {
    shift: HashTable<u16, BITS>,
    filled: Filled,
}

impl FourShifts {
    pub fn fill<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.filled.clear(&mut self.shift);
        for (i, four) in pattern.windows(FOUR).enumerate() {
            let shift = (pattern.len() - i).min(usize::from(u16::MAX)) as u16;
            // A later place gives a shorter shift, so that one stays.
            *self.filled.fill(&mut self.shift, hash(four)) = shift;
        }
        probe.table(&self.shift);
    }

    /// The table as a search sees it.
    pub fn view<P: Probe>(&self, probe: P) -> HashTableView<'_, u16, BITS, P> {
        self.shift.view(probe)
    }
}

/// The shifts in both directions.
#[derive(Default)]
pub(super) struct FourApproach {
    right: FourShifts,
    left: FourShifts,
    /// The pattern from right to left; used by the preparation alone.
    reversed: Vec<u8>,
}

impl FourApproach {
    pub fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.right.fill(pattern, probe);
        self.reversed.clear();
        self.reversed.extend(pattern.iter().rev());
        self.left.fill(&self.reversed, probe);
    }

    /// Calls `compare` for the windows that two windows come across, from both ends of the text, until they
    /// meet. Where they are less than four apart, they come across all windows between.
    #[inline(always)]
    pub fn scan<P: Probe>(
        &self,
        pattern: Pattern<P>,
        text: Text<P>,
        mut compare: impl FnMut(usize),
        probe: P,
    ) {
        let (m, n) = (pattern.len(), text.len());
        assert!(FOUR <= m && m <= n, "a text shorter than the pattern, or a pattern shorter than four");
        let (right, left) = (self.right.view(probe), self.left.view(probe));
        // All windows before the lower and after the higher one are done with.
        let (mut low, mut high) = (0, (n - m) as isize);
        probe.writes(2);
        while probe.branch(high - low >= FOUR as isize) {
            compare(low as usize);
            compare(high as usize);
            let (after, before) = (low as usize + m, high as usize - 1);
            let forward = (|i| text.at(after + i), |i| pattern.at(i));
            let backward = (|i| text.at(before - i), |i| pattern.at(m - 1 - i));
            low += distance(forward, m, right, probe) as isize;
            high -= distance(backward, m, left, probe) as isize;
            probe.writes(2);
            probe.jump();
            probe.jump();
        }
        while probe.branch(low <= high) {
            compare(low as usize);
            low += 1;
            probe.writes(1);
            probe.jump();
        }
    }
}

/// The least shift with which the pattern fits the four characters that follow a window, given the characters
/// after the window and those of the pattern.
#[inline(always)]
pub(super) fn distance<P: Probe>(
    (next, at): (impl Fn(usize) -> u8, impl Fn(usize) -> u8),
    m: usize,
    shift: HashTableView<u16, BITS, P>,
    probe: P,
) -> usize {
    // The first of the four end the pattern.
    for k in 1..FOUR {
        if probe.branch((0..k).all(|i| at(m - k + i) == next(i))) {
            return k;
        }
    }
    probe.computes(1);
    let inside = usize::from(shift.at(hash(&[next(0), next(1), next(2), next(3)])));
    if probe.branch(inside != 0) {
        return inside;
    }
    // The last of the four begin the pattern.
    for k in (1..FOUR).rev() {
        if probe.branch((0..k).all(|i| at(i) == next(FOUR - k + i))) {
            return m + FOUR - k;
        }
    }
    m + FOUR
}

/// The hash of four characters.
#[inline(always)]
fn hash(four: &[u8]) -> usize {
    spread_word(four.iter().fold(0, |number, &byte| number << 8 | u32::from(byte)), BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shift_is_the_least_with_which_the_four_characters_fit() {
        let pattern = b"abcdefgh";
        let mut shifts = FourShifts::default();
        shifts.fill(pattern, Off);
        let shift = |four: &[u8; 4]| distance((|i| four[i], |i| pattern[i]), 8, shifts.shift.view(Off), Off);
        assert_eq!([b"hxxx", b"ghxx", b"fghx", b"efgh", b"bcde"].map(shift), [1, 2, 3, 4, 7]);
        assert_eq!([b"abcd", b"xabc", b"xxab", b"xxxa", b"xxxx"].map(shift), [8, 9, 10, 11, 12]);
    }
}
