//! The pattern lengths at which an algorithm is tried if the user names none.

use crate::claim::WorstCaseClaim;

/// The greatest of them, where nothing says otherwise: patterns that fill a machine word.
const GREATEST: usize = 64;
/// Number of lengths: three doublings, because two must agree that the work grows, and short patterns leave
/// little to search again.
const MOST: usize = 4;

/// Lengths of which each is twice the one before. They are such that the algorithm takes them, and that its
/// claim covers them.
pub fn default_lengths(claim: &WorstCaseClaim, shortest: usize, longest: usize) -> Vec<usize> {
    let shortest = shortest.max(1);
    let limit = claim.up_to.filter(|up_to| *up_to >= shortest).unwrap_or(longest).min(longest);
    let greatest = GREATEST.max(shortest.saturating_mul(1 << (MOST - 1))).min(limit).max(shortest);
    let mut lengths: Vec<usize> =
        (0..MOST).map(|halvings| greatest >> halvings).take_while(|length| *length >= shortest).collect();
    lengths.reverse();
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_double_within_what_the_algorithm_takes_and_claims() {
        let lengths =
            |claim, shortest, longest| default_lengths(&WorstCaseClaim::read(claim), shortest, longest);
        assert_eq!(lengths("O(mn)", 1, usize::MAX), [8, 16, 32, 64]);
        assert_eq!(lengths("O(n) for m <= 32, else O(mn)", 1, usize::MAX), [4, 8, 16, 32]);
        assert_eq!(lengths("O(n)", 2, 16), [2, 4, 8, 16]);
        assert_eq!(lengths("O(n)", 20, usize::MAX), [20, 40, 80, 160]);
        assert_eq!(lengths("O(n)", 16, 33), [16, 33]);
        assert_eq!(lengths("O(n)", 3, 3), [3]);
    }
}
