//! Two Way: linear in the worst case, without tables.
//!
//! M. Crochemore and D. Perrin, Two-way string-matching, Journal of the ACM 38(3), 1991. The pattern is cut
//! where its local period is its period: the right part is compared first, from left to right, and a mismatch
//! in it moves the window past it. It takes over where another method verifies too much in vain.

use crate::found::Found;
use crate::text::Text;

/// The cut and what is known of the period.
#[derive(Clone, Copy, Debug)]
struct Factorisation {
    /// Length of the left part.
    cut: usize,
    /// The period, or a lower bound of it.
    period: usize,
    /// Whether `period` is the period, so that what matched can be remembered.
    periodic: bool,
}

impl Factorisation {
    fn new(pattern: &[u8]) -> Self {
        let (less, greater) = (maximal_suffix(pattern, false), maximal_suffix(pattern, true));
        let (cut, period) = if less.0 > greater.0 { less } else { greater };
        if cut + period <= pattern.len() && pattern[..cut] == pattern[period..period + cut] {
            Factorisation { cut, period, periodic: true }
        } else {
            Factorisation { cut, period: cut.max(pattern.len() - cut) + 1, periodic: false }
        }
    }
}

/// Start and period of the greatest suffix, in the order of bytes or in the reverse one.
fn maximal_suffix(pattern: &[u8], reverse: bool) -> (usize, usize) {
    let (mut start, mut rival, mut same, mut period) = (0, 1, 0, 1);
    while rival + same < pattern.len() {
        let (a, b) = (pattern[rival + same], pattern[start + same]);
        if a == b {
            same += 1;
            if same == period {
                rival += period;
                same = 0;
            }
        } else if (a < b) != reverse {
            rival += same + 1;
            same = 0;
            period = rival - start;
        } else {
            start = rival;
            rival += 1;
            same = 0;
            period = 1;
        }
    }
    (start, period)
}

/// Reports the occurrences from `begin` on. Ends with the first alignment that was not tried, from `stop` on.
///
/// # Panics
/// If `begin` is beyond the end of the text.
pub fn search<T: Text, F: Found>(
    pattern: &[u8],
    text: T,
    begin: usize,
    stop: usize,
    found: &mut F,
) -> Result<(), usize> {
    let (m, n) = (pattern.len(), text.len());
    assert!(begin <= n, "a search from {begin} on in {n} bytes");
    let Factorisation { cut, period, periodic } = Factorisation::new(pattern);
    // The pattern's first `known` characters are known to match.
    let (mut s, mut known) = (begin, 0);
    while text.branch(s + m <= n) {
        if s >= stop {
            return Err(s);
        }
        let same = |i: usize| {
            text.reads_pattern(1);
            // SAFETY: i < m, and the window ends in the text.
            text.branch(pattern[i] == unsafe { text.read::<1>(s + i) }[0])
        };
        let mut right = cut.max(known);
        while right < m && same(right) {
            right += 1;
        }
        text.jump();
        if right < m {
            s += right - cut + 1;
            known = 0;
            continue;
        }
        let mut left = cut;
        while left > known && same(left - 1) {
            left -= 1;
        }
        if text.verify(left <= known) {
            found.at(s);
            if found.is_full() {
                return Ok(());
            }
        }
        s += period;
        known = if periodic { m - period } else { 0 };
        if s < found.from() {
            (s, known) = (found.from(), 0);
        }
    }
    Ok(())
}
