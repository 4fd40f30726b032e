//! Enhanced ERS-A.
//!
//! Pays on long patterns over small alphabets, where four characters tell more positions apart than the two
//! of [`tsw`](super::tsw).
//! Departures: we have seen the abstract of the paper. How a shift is looked up is ours: the shift is the
//! least with which the four characters fit the pattern, and where the pattern has all four is kept by their
//! hash. When the windows are less than four apart, the rest is compared window by window. Shifts from the
//! table are of 16 bits: a longer one is made in several steps. The characters at both ends of a window are
//! compared in turn, from the ends to the middle. Patterns have four characters at least. One computation =
//! the hash of four characters.

use assay_plugin_api::HashTableView;
use assay_plugin_api::prelude::*;
use assay_shared::filled::Filled;

/// Number of characters that give a shift.
const FOUR: usize = 4;

/// Bits of their hash.
const BITS: u32 = 16;

/// The searcher: where the pattern has four characters, in both directions.
#[derive(Default)]
pub struct EnhancedErsA {
    right: FourShifts,
    left: FourShifts,
    /// The pattern from right to left; used by the preparation alone.
    reversed: Vec<u8>,
}

impl Algorithm for EnhancedErsA {
    const ABOUT: About = About {
        id: "eersa",
        name: "Enhanced ERS-A",
        reference: Reference {
            authors: &["D. Suleiman", "M. Itriq", "A. Al-Anani", "R. Al-Khalid", "A. Hudaib"],
            title: "Enhancing ERS-A Algorithm for Pattern Matching (EERS-A)",
            journal: "J. Softw. Eng. Appl.",
            volume: "8",
            number: "3",
            pages: "143-153",
            year: 2015,
            doi: "10.4236/jsea.2015.83015",
            ..Reference::UNKNOWN
        },
        unverified: "how a shift is looked up: the paper was not seen, but its abstract",
        idea: "Windows from both ends of the text shift by the four characters beyond them, and are compared \
            from both ends of the pattern.",
        preparation_time: "O(m)",
        space: "O(1): 256 KiB",
        worst_case: "O(mn)",
        average_case: "O(n/min(m,s)): n/(m + 4) windows at best",
        ..About::UNKNOWN
    };

    const NEEDS: Needs = Needs { min_pattern: FOUR, ..Needs::NOTHING };

    fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        Self::NEEDS.assert_takes(pattern.len());
        self.right.fill(pattern, probe);
        self.reversed.clear();
        self.reversed.extend(pattern.iter().rev());
        self.left.fill(&self.reversed, probe);
    }

    fn search<P: Probe>(&mut self, pattern: Pattern<P>, text: Text<P>, found: &mut impl Found, probe: P) {
        let (m, n) = (pattern.len(), text.len());
        assert!(FOUR <= m && m <= n, "a text shorter than the pattern, or a pattern shorter than four");
        let (right, left) = (self.right.shift.view(probe), self.left.shift.view(probe));
        let alike = |s, i| pattern.at(i) == text.at(s + i);
        let mut compare = |s| {
            let mut i = 0;
            probe.writes(1);
            // The middle of an odd length is compared with itself.
            while probe.branch(2 * i < m && alike(s, i) && alike(s, m - 1 - i)) {
                i += 1;
                probe.writes(1);
            }
            if probe.verify(2 * i >= m) {
                found.at(s);
            }
        };
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

/// For each hash of four characters, the shift to where the pattern has them last; 0 if it has them nowhere.
#[derive(Default)]
struct FourShifts {
    shift: HashTable<u16, BITS>,
    filled: Filled,
}

impl FourShifts {
    fn fill<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.filled.clear(&mut self.shift);
        for (i, four) in pattern.windows(FOUR).enumerate() {
            let shift = (pattern.len() - i).min(usize::from(u16::MAX)) as u16;
            // A later place gives a shorter shift, so that one stays.
            *self.filled.fill(&mut self.shift, hash(four)) = shift;
        }
        probe.table(&self.shift);
    }
}

/// The least shift with which the pattern fits the four characters that follow a window, given the characters
/// after the window and those of the pattern.
#[inline(always)]
fn distance<P: Probe>(
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

/// The highest bits of a product.
#[inline(always)]
fn hash(four: &[u8]) -> usize {
    let number = four.iter().fold(0, |number, &byte| number << 8 | u32::from(byte));
    (number.wrapping_mul(0x9e37_79b1) >> (u32::BITS - BITS)) as usize
}

register!(algorithm EnhancedErsA);

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
