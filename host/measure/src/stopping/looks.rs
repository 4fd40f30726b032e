//! When a length is looked at, and when it was narrow often enough to stop. Who looks often, or believes the first look, stops where
//! intervals are narrow by luck.

/// So many looks in a row must find a length narrow.
const IN_A_ROW: usize = 2;

/// The looks at one length.
#[derive(Clone, Debug)]
pub(crate) struct Looks {
    /// After how many rounds is the next one.
    next: usize,
    /// How many of the last ones found it narrow.
    narrow: usize,
}

impl Looks {
    /// The first look is after this many rounds.
    pub(super) fn after(rounds: usize) -> Self {
        Looks { next: rounds, narrow: 0 }
    }

    /// Looks, if it is time to do so. The next look is when there are a quarter more rounds.
    pub(super) fn look(&mut self, rounds: usize, is_narrow: impl FnOnce() -> bool) {
        if rounds >= self.next {
            self.next = (rounds + 1).max(rounds * 5 / 4);
            self.narrow = if is_narrow() { self.narrow + 1 } else { 0 };
        }
    }

    /// Whether enough is known.
    pub(crate) fn suffice(&self) -> bool {
        self.narrow >= IN_A_ROW
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_a_quarter_more_rounds_apart() {
        let next = |looks: &Looks| {
            let mut after = looks.clone();
            after.look(looks.next, || false);
            Some(after)
        };
        let looks: Vec<usize> =
            std::iter::successors(Some(Looks::after(10)), next).take(6).map(|looks| looks.next).collect();
        assert_eq!(looks, [10, 12, 15, 18, 22, 27]);
        assert_eq!(next(&Looks::after(1)).unwrap().next, 2);
    }

    #[test]
    fn two_looks_in_a_row_suffice_and_what_is_between_them_is_not_seen() {
        let after = |seen: &[(usize, bool)]| {
            let mut looks = Looks::after(10);
            seen.iter().for_each(|(rounds, is_narrow)| looks.look(*rounds, || *is_narrow));
            looks.suffice()
        };
        assert!(!after(&[(10, true)]));
        assert!(!after(&[(10, true), (11, true)]), "11 is no look");
        assert!(after(&[(10, true), (11, false), (12, true)]), "11 is no look");
        assert!(!after(&[(10, true), (12, false), (15, true)]));
        assert!(after(&[(10, true), (12, false), (15, true), (18, true)]));
    }
}
