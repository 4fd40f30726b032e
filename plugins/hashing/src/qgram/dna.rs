//! Hash-q's shifts for the letters a, c, g and t, each of them two bits, so that a q-gram over them is its
//! own index.

use assay_plugin_api::prelude::*;
use assay_shared::borders::{Step, borders};

use super::shifts::{Shifts, number};

/// The bits of a byte in which the four letters differ.
const CODE: u64 = 0x0606_0606_0606_0606;
const ONES: u64 = 0x0101_0101_0101_0101;

/// The shifts of q-grams with an index of `BITS` bits, which is twice q. Other letters of a text have the
/// code of one of the four: a window that holds them is shifted by no more than it may be.
#[derive(Default)]
pub(super) struct Dna<const Q: usize, const BITS: u32> {
    shifts: Shifts<BITS>,
    /// The shift after an occurrence: the pattern's period.
    period: usize,
    /// Bit 5 of the pattern's letters: set in lower case.
    case: u64,
    steps: Table<Step>,
}

impl<const Q: usize, const BITS: u32> Dna<Q, BITS> {
    /// Fills in the shifts.
    ///
    /// # Errors
    /// If the pattern has other letters than the four, or not all of one case.
    pub fn fill<P: Probe>(&mut self, pattern: &[u8], probe: P) -> Result<(), CannotSearch> {
        const { assert!(Q <= 8 && BITS as usize == 2 * Q, "an index has two bits a letter") };
        self.case = u64::from(pattern[0] & 0x20) * ONES;
        if !pattern.iter().all(|&byte| self.only_letters(u64::from(byte), 1)) {
            return Err(CannotSearch::because(
                "the pattern has other letters than a, c, g, t, or than A, C, G, T",
            ));
        }
        self.shifts.fill(pattern, Q, |qgram| index::<Q>(number(qgram)), probe);
        borders(pattern, &mut self.steps);
        let whole = pattern.len() + 1;
        self.period = whole - self.steps[whole].border as usize;
        Ok(())
    }

    /// Searches; `occurs` compares a window that ends with the pattern's last q-gram. With `BY_PERIOD`, the
    /// shift after an occurrence is the pattern's period, which is the good-suffix shift after a match of
    /// the whole pattern; otherwise it is the shift after any window whose last q-gram fits.
    #[inline(always)]
    pub fn search<const BY_PERIOD: bool, P: Probe>(
        &self,
        m: usize,
        text: Text<P>,
        found: &mut impl Found,
        occurs: impl Fn(usize) -> bool,
        probe: P,
    ) {
        assert!(Q <= m, "a pattern shorter than a q-gram");
        // SAFETY: Q <= m <= end <= n.
        let gram = |end: usize| unsafe { text.gram_unchecked::<Q>(end - Q) };
        let (after_match, period) = (self.shifts.after_match, self.period);
        let fits = |s: usize| {
            // The index determines the four letters, and nothing about others.
            let occurs = probe.branch(self.only_letters(gram(s + m), Q)) && occurs(s);
            if occurs {
                found.at(s);
            }
            if BY_PERIOD && probe.branch(occurs) { period } else { after_match }
        };
        self.shifts.search(m, text.len(), |end| index::<Q>(gram(end)), fits, probe);
    }

    /// Whether all of these letters are of the four, in the pattern's case.
    #[inline(always)]
    pub fn only_letters(&self, qgram: u64, letters: usize) -> bool {
        // Relative to `A`: C = A + 2, T = A + 19, G = A + 6 = A + 2 + 19 - 15.
        let code = qgram & CODE;
        let (low, high) = (code >> 1 & ONES, code >> 2 & ONES);
        let restored = 0x41 * ONES + self.case + 2 * low + 19 * high - 15 * (low & high);
        (restored ^ qgram) << (64 - 8 * letters) == 0
    }
}

/// The hashes of the pattern's frames: of the first q letters, the next q, and so on.
#[derive(Default)]
pub(super) struct Frames<const Q: usize>(Table<u16>);

impl<const Q: usize> Frames<Q> {
    pub fn fill<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        self.0.reset(0, 0);
        for frame in pattern.chunks_exact(Q) {
            self.0.push(index::<Q>(number(frame)) as u16);
        }
        probe.table(&self.0);
    }

    /// Compares the window at `s` frame by frame, and the letters after the last one.
    #[inline(always)]
    pub fn occur<P: Probe, const BITS: u32>(
        &self,
        dna: &Dna<Q, BITS>,
        pattern: Pattern<P>,
        text: Text<P>,
        s: usize,
        probe: P,
    ) -> bool {
        let (m, frames) = (pattern.len(), self.0.view(probe));
        assert!(s + m <= text.len(), "a window beyond the text");
        let alike = |i: usize| {
            // SAFETY: i + Q <= m, and the window lies in the text.
            let frame = unsafe { text.gram_unchecked::<Q>(s + i) };
            probe.computes(1);
            usize::from(frames.character_at(i / Q)) == index::<Q>(frame) && dna.only_letters(frame, Q)
        };
        let mut i = 0;
        probe.writes(1);
        while probe.branch(i + Q <= m && alike(i)) {
            i += Q;
            probe.writes(1);
        }
        probe.branch(i + Q > m) && pattern.occurs(text, s, i..m)
    }
}

/// The index of a q-gram: two bits a letter, those of the first one highest.
#[inline(always)]
pub(super) fn index<const Q: usize>(qgram: u64) -> usize {
    // The product gathers the codes of four bytes in its highest one; nothing below is carried into it.
    let four = |letters: u32| ((letters & CODE as u32) >> 1).wrapping_mul(0x4010_0401) >> 24;
    let aligned = qgram << (64 - 8 * Q);
    let high = four((aligned >> 32) as u32);
    (if Q <= 4 { high } else { four(aligned as u32) << 8 | high }) as usize
}

/// Naive search beside the algorithm of the type, for the tests of those that share this: patterns over the
/// four letters, in texts that hold other letters with the same codes, too.
#[cfg(test)]
pub(super) fn finds_all_in_texts_with_other_letters<A: Algorithm>() {
    use assay_plugin_api::testing::search;
    use assay_plugin_api::{Checked, probe::CountingReading};

    let mut state = 1_u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    // Letters of the pattern, and those of the text.
    let alphabets = [
        (&b"ac"[..], &b"ac"[..]),
        (b"acgt", b"acgt"),
        (b"acgt", b"acgtACGTqbNn\0"),
        (b"ACGT", b"ACGT"),
        (b"a", b"a"),
        (b"a", b"aaaaaaaqA"),
    ];
    for round in 0..3000 {
        let (own, all) = alphabets[round % alphabets.len()];
        let (m, n) = (A::NEEDS.min_pattern + below(20), 40 + below(120));
        let pattern: Vec<u8> = (0..m).map(|_| own[below(own.len())]).collect();
        let mut text: Vec<u8> = (0..n).map(|_| all[below(all.len())]).collect();
        // The pattern itself, and with a letter changed for one with the same code.
        for _ in 0..3 {
            let at = below(n - m);
            text[at..at + m].copy_from_slice(&pattern);
            if below(2) == 0 {
                text[at + below(m)] ^= 0x20 << below(3);
            }
        }
        let expected: Vec<_> = (0..=n - m).filter(|&s| text[s..s + m] == pattern).collect();
        assert_eq!(search::<A, Off>(&pattern, &text).as_ref(), Ok(&expected), "{pattern:?} in {text:?}");
        assert_eq!(search::<A, Checked>(&pattern, &text).as_ref(), Ok(&expected));
        assert_eq!(search::<A, CountingReading>(&pattern, &text).as_ref(), Ok(&expected));
    }
    for pattern in [&b"acgtacgtn"[..], b"acgtacgtA", b"ACGTACGTa", b"\0acgtacgt", b"acgtacg\xe1"] {
        assert!(search::<A, Off>(pattern, &[pattern, pattern].concat()).is_err(), "{pattern:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_a_number_to_the_base_of_four() {
        assert_eq!(index::<3>(number(b"acg")), 0b00_01_11);
        assert_eq!(index::<5>(number(b"caaat")), 0x102);
        assert_eq!(index::<8>(number(b"ACGTTGCA")), 0b00_01_11_10_10_11_01_00);
    }

    #[test]
    fn four_letters_are_distinguished_from_all_others() {
        for (case, letters) in [(0, b"ACGT"), (0x20 * ONES, b"acgt")] {
            let dna = Dna::<8, 16> { case, ..Dna::default() };
            for byte in 0..=u8::MAX {
                assert_eq!(dna.only_letters(u64::from(byte), 1), letters.contains(&byte), "{byte}");
            }
            assert!(dna.only_letters(number(letters) << 32 | number(letters), 8));
        }
    }
}
