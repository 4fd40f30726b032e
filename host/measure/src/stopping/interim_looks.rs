//! Interim looks: when a run that continues looks at the intervals of a point, and when they were narrow
//! often enough to stop. A run that looks often, or that stops at the first narrow look, tends to stop where
//! intervals are narrow by luck, and its intervals then cover the true value too rarely.

/// This many looks in a row must find a point narrow. In simulations (`stopping/tests.rs`), intervals of a
/// point that stops at its first narrow look cover the true median in as few as 92.2 % of the runs, instead
/// of 95 %.
const IN_A_ROW: usize = 2;

/// The looks at one point.
#[derive(Clone, Debug)]
pub(crate) struct InterimLooks {
    /// The number of rounds at which the next look is due.
    next: usize,
    /// How many looks in a row, up to the last one, found the point narrow.
    narrow: usize,
}

impl InterimLooks {
    /// The first look is due after this number of rounds.
    pub(super) fn after(rounds: usize) -> Self {
        InterimLooks { next: rounds, narrow: 0 }
    }

    /// Looks, if a look is due. The next one is due when there are a quarter more rounds: with looks that far
    /// apart, each sees enough new rounds to differ from the one before.
    pub(super) fn look(&mut self, rounds: usize, is_narrow: impl FnOnce() -> bool) {
        if rounds >= self.next {
            self.next = (rounds + 1).max(rounds * 5 / 4);
            self.narrow = if is_narrow() { self.narrow + 1 } else { 0 };
        }
    }

    /// Whether the last looks were narrow often enough to stop.
    pub(crate) fn is_satisfied(&self) -> bool {
        self.narrow >= IN_A_ROW
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_a_quarter_more_rounds_apart() {
        let next = |looks: &InterimLooks| {
            let mut after = looks.clone();
            after.look(looks.next, || false);
            Some(after)
        };
        let looks: Vec<usize> = std::iter::successors(Some(InterimLooks::after(10)), next)
            .take(6)
            .map(|looks| looks.next)
            .collect();
        assert_eq!(looks, [10, 12, 15, 18, 22, 27]);
        assert_eq!(next(&InterimLooks::after(1)).unwrap().next, 2);
    }

    #[test]
    fn two_looks_in_a_row_suffice_and_what_is_between_them_is_not_seen() {
        let after = |seen: &[(usize, bool)]| {
            let mut looks = InterimLooks::after(10);
            seen.iter().for_each(|(rounds, is_narrow)| looks.look(*rounds, || *is_narrow));
            looks.is_satisfied()
        };
        assert!(!after(&[(10, true)]));
        assert!(!after(&[(10, true), (11, true)]), "11 is no look");
        assert!(after(&[(10, true), (11, false), (12, true)]), "11 is no look");
        assert!(!after(&[(10, true), (12, false), (15, true)]));
        assert!(after(&[(10, true), (12, false), (15, true), (18, true)]));
    }
}
