//! Two Way: linear in the worst case, without tables.
//!
//! M. Crochemore and D. Perrin, Two-way string-matching, Journal of the ACM 38(3), 1991. The pattern is cut
//! where its local period is its period: the right part is compared first, from left to right, and a mismatch
//! in it moves the window past it. It takes over where another method verifies too much in vain.
//!
//! The algorithms of assay share the [factorisation](crate::factorisation), but search with loops of their
//! own, because their twins count each step that the paper has, and this loop also stops, resumes and skips.

use crate::factorisation::Factorisation;
use crate::found::Found;
use crate::text::Text;

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
