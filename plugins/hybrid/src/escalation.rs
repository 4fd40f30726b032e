//! Horspool, and Boyer-Moore from where Horspool has compared more than it skipped: the later stages of the
//! searches of JavaScript engines. Their tables are of the pattern's last 250 characters only.

use assay_plugin_api::prelude::*;
use assay_shared::good_suffixes::GoodSuffixes;
use assay_shared::mismatch::last_mismatch;

/// The tables of both stages.
#[derive(Default)]
pub(crate) struct Escalation {
    /// For each byte, where it occurs last in the tail without the last character, counted from 1; where it
    /// does not, where the tail begins.
    last: ByteTable<u32>,
    /// Of the tail.
    good: GoodSuffixes,
    /// Where the tail begins.
    start: usize,
    /// The shift by the pattern's last character: after an occurrence, and where more has matched than the
    /// tail has.
    shift: usize,
}

/// Greatest length of the tail. The value is V8's, which has tables of a fixed size.
pub(crate) const TAIL: usize = 250;

impl Escalation {
    pub fn prepare<P: Probe>(&mut self, pattern: &[u8], probe: P) {
        let m = pattern.len();
        self.start = m.saturating_sub(TAIL);
        self.last.fill(self.start as u32);
        for (place, &byte) in pattern[..m - 1].iter().enumerate().skip(self.start) {
            self.last[byte as usize] = place as u32 + 1;
        }
        self.shift = m - self.last[pattern[m - 1] as usize] as usize;
        self.good.prepare(&pattern[self.start..]);
        probe.table(&self.last);
        probe.table(&self.good.shift);
    }

    /// Finds all occurrences from the window at `s` on.
    pub fn search<P: Probe>(
        &self,
        s: usize,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let s = self.horspool(s, pattern, text, found, probe);
        if probe.branch(s <= text.len() - pattern.len()) {
            self.boyer_moore(s, pattern, text, found, probe);
        }
    }

    /// Horspool until it has compared more characters than it passed, and a whole pattern more. Answers which
    /// window is the next.
    #[inline(always)]
    fn horspool<P: Probe>(
        &self,
        mut s: usize,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) -> usize {
        let (m, n, last) = (pattern.len(), text.len(), self.last.view(probe));
        let mut badness = -(m as isize);
        probe.writes(2);
        while probe.branch(s <= n - m) {
            let character = text.at(s + m - 1);
            if probe.branch(pattern.at(m - 1) != character) {
                let shift = m - last.at(character) as usize;
                s += shift;
                // Never more than before, because a shift is at least 1.
                badness += 1 - shift as isize;
                probe.writes(2);
                probe.jump();
                continue;
            }
            let mut i = m - 1;
            probe.writes(1);
            while probe.branch(i > 0 && pattern.at(i - 1) == text.at(s + i - 1)) {
                i -= 1;
                probe.writes(1);
            }
            s += self.shift;
            probe.writes(1);
            probe.jump();
            if probe.verify(i == 0) {
                found.at(s - self.shift);
            } else {
                // Characters i - 1 to m - 1 were compared.
                badness += (m + 1 - i) as isize - self.shift as isize;
                probe.writes(1);
                if probe.branch(badness > 0) {
                    return s;
                }
            }
        }
        s
    }

    /// Boyer-Moore, with a loop that passes windows by their last character.
    #[inline(always)]
    fn boyer_moore<P: Probe>(
        &self,
        mut s: usize,
        pattern: Pattern<P>,
        text: Text<P>,
        found: &mut impl Found,
        probe: P,
    ) {
        let (m, n, start) = (pattern.len(), text.len(), self.start);
        let (last, good) = (self.last.view(probe), self.good.shift.view(probe));
        probe.writes(1);
        while probe.branch(s <= n - m) {
            let character = text.at(s + m - 1);
            if probe.branch(pattern.at(m - 1) != character) {
                s += m - last.at(character) as usize;
                probe.writes(1);
                probe.jump();
                continue;
            }
            // The last character is compared again, as the engines do.
            let (i, mismatched) = last_mismatch(&pattern, &text, s, 0, probe);
            if probe.verify(i == 0) {
                found.at(s);
                s += if probe.branch(start == 0) { good.at(0) as usize } else { self.shift };
            } else if probe.branch(i <= start) {
                s += self.shift;
            } else {
                // Negative where the character occurs further right only.
                let bad = i as i64 - i64::from(last.at(mismatched));
                probe.computes(1);
                s += i64::from(good.at(i - start)).max(bad) as usize;
            }
            probe.writes(1);
            probe.jump();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_of_the_last_250_characters() {
        let mut stages = Escalation::default();
        let pattern = [&b"x"[..], &[b'y'; 50], &[b'a'; 200]].concat();
        stages.prepare(&pattern, Off);
        assert_eq!((stages.start, stages.good.shift.len()), (1, 251));
        assert_eq!([b'x', b'y', b'a', b'z'].map(|byte| stages.last[byte as usize]), [1, 51, 250, 1]);
        stages.prepare(b"abcab", Off);
        assert_eq!((stages.start, stages.shift), (0, 3));
        assert_eq!([b'a', b'b', b'c', b'd'].map(|byte| stages.last[byte as usize]), [4, 2, 3, 0]);
    }
}
