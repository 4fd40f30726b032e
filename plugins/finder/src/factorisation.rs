//! Critical factorisations, after Crochemore and Perrin: the pattern is cut where the local period equals its
//! period. Therefore the length that matched of the right part gives the shift.

use core::cmp::Ordering;

/// Position at which a pattern is cut, and how far a window moves after its right part has matched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Factorisation {
    /// Length of the left part: less than the pattern's.
    pub cut: usize,
    /// The pattern's period if it is periodic around the cut, else a lower bound of it.
    pub period: usize,
    /// Whether `period` is the period itself: then a prefix that is known to match can be remembered.
    pub periodic: bool,
}

impl Factorisation {
    /// That of a pattern, which is not empty.
    pub fn new(pattern: &[u8]) -> Self {
        let m = pattern.len();
        let smaller = maximal_suffix(pattern, |a, b| a.cmp(&b));
        let greater = maximal_suffix(pattern, |a, b| b.cmp(&a));
        let (cut, period) = smaller.max(greater);
        let periodic = cut + period <= m && pattern[..cut] == pattern[period..period + cut];
        Factorisation { cut, period: if periodic { period } else { cut.max(m - cut) + 1 }, periodic }
    }

    /// Whether it may be that of a pattern of `m` bytes: what unchecked reads rest on.
    pub fn fits(&self, m: usize) -> bool {
        self.cut < m && (1..=m).contains(&self.period)
    }
}

/// Where the greatest suffix in an order of the bytes begins, and its period.
fn maximal_suffix(pattern: &[u8], order: fn(u8, u8) -> Ordering) -> (usize, usize) {
    // Compares the suffix at `start` with a candidate further right; their first `k` characters agree.
    let (mut start, mut candidate, mut k, mut period) = (0, 1, 0, 1);
    while candidate + k < pattern.len() {
        match order(pattern[candidate + k], pattern[start + k]) {
            Ordering::Less => {
                candidate += k + 1;
                k = 0;
                period = candidate - start;
            }
            Ordering::Equal if k + 1 == period => {
                candidate += period;
                k = 0;
            }
            Ordering::Equal => k += 1,
            Ordering::Greater => {
                start = candidate;
                candidate += 1;
                k = 0;
                period = 1;
            }
        }
    }
    (start, period)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_suffix_is_that_of_all_suffixes() {
        for pattern in [&b"banana"[..], b"abaabaa", b"aaaa", b"zyx", b"abcabcabd", b"a"] {
            let greatest = (0..pattern.len()).max_by_key(|&start| &pattern[start..]).unwrap();
            assert_eq!(maximal_suffix(pattern, |a, b| a.cmp(&b)).0, greatest, "{}", pattern.escape_ascii());
        }
    }

    #[test]
    fn a_pattern_is_cut_where_its_local_period_is_its_period() {
        for (pattern, cut, period, periodic) in [
            (&b"abaabaab"[..], 2, 3, true),
            (b"aaaa", 0, 1, true),
            (b"aaab", 3, 4, false),
            (b"a", 0, 1, true),
        ] {
            assert_eq!(Factorisation::new(pattern), Factorisation { cut, period, periodic });
        }
    }
}
