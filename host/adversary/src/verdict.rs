//! Whether the work that was found grows faster than an algorithm claims.

use crate::claim::WorstCaseClaim;

/// What the work at several lengths says about a claim.
#[derive(Clone, Debug, PartialEq)]
pub enum GrowthVerdict {
    /// The work for each character grows faster than the claim allows.
    Contradicted,
    /// It grows faster than the leading form allows, and the claim names exceptions, of which the input may
    /// be one.
    PerhapsExcepted,
    /// Nothing that was found contradicts the claim, which is no proof of it.
    NotRefuted,
    /// Nothing can be said, because of this.
    NotJudged(String),
}

/// The work for each character counts as growing if each of the last two doublings of the pattern, and all of
/// them together, multiplies it by this at least. A search that reads each character at most twice comes from
/// 1.75 to 1.98 between patterns of 8 and 64, a factor of 1.04 for each doubling, and work that grows with
/// the pattern doubles.
const GROWS: f64 = 1.2;

/// Compares the greatest work for each character of the text, at ascending lengths of the pattern, with a
/// claim.
pub fn judge(claim: &WorstCaseClaim, found: &[(usize, f64)]) -> GrowthVerdict {
    let not_judged = |reason: &str| GrowthVerdict::NotJudged(reason.to_owned());
    if claim.text.is_empty() {
        return not_judged("it claims nothing about its worst case");
    }
    let Some(growth) = claim.growth else { return not_judged("the form of the claim can't be read") };
    let covered = found.iter().filter(|(length, _)| claim.up_to.is_none_or(|up_to| *length <= up_to));
    // The lengths of which each is at least twice the one before, longest first.
    let mut lengths: Vec<(usize, f64)> = Vec::new();
    for &(length, work) in covered.rev() {
        if lengths.last().is_none_or(|(longer, _)| 2 * length <= *longer) {
            lengths.push((length, work / growth.at(length)));
        }
    }
    let [longest, middle, shortest, ..] = lengths[..] else {
        return not_judged("it takes three lengths that the claim covers, each twice the one before");
    };
    let grows = |(shorter, less): (usize, f64), (longer, more): (usize, f64)| {
        let doublings = (longer as f64 / shorter as f64).log2();
        less > 0.0 && more / less >= GROWS.powf(doublings)
    };
    // What is spent once, whatever the length, makes the work go up and down.
    let grows_overall = lengths.last().is_some_and(|first| grows(*first, longest));
    if !(grows(shortest, middle) && grows(middle, longest) && grows_overall) {
        GrowthVerdict::NotRefuted
    } else if claim.has_exceptions {
        GrowthVerdict::PerhapsExcepted
    } else {
        GrowthVerdict::Contradicted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_contradicted_by_faster_growth_alone() {
        let judged = |text: &str, work: fn(f64) -> f64| {
            let found: Vec<(usize, f64)> = [8, 16, 32, 64].map(|m| (m, work(m as f64))).into();
            judge(&WorstCaseClaim::read(text), &found)
        };
        assert_eq!(judged("O(n)", |m| m), GrowthVerdict::Contradicted);
        assert_eq!(judged("O(n + m)", |m| 1.0 + m / 2.0), GrowthVerdict::Contradicted);
        assert_eq!(judged("O(n)", |m| 2.0 - 2.0 / m), GrowthVerdict::NotRefuted);
        assert_eq!(judged("O(mn)", |m| m), GrowthVerdict::NotRefuted);
        assert_eq!(judged("O(mn)", |m| m * m), GrowthVerdict::Contradicted);
        assert_eq!(judged("O(n log m)", |m| m.log2()), GrowthVerdict::NotRefuted);
        assert_eq!(judged("O(n log m)", |m| m), GrowthVerdict::Contradicted);
        assert_eq!(judged("O(n) for m <= 64, else O(mn)", |m| m), GrowthVerdict::Contradicted);
        assert_eq!(judged("O(n), so O(mn) to all that overlap", |m| m), GrowthVerdict::PerhapsExcepted);
        let ups_and_downs = [(8, 8.0), (16, 4.67), (32, 7.88), (64, 10.58)];
        assert_eq!(judge(&WorstCaseClaim::read("O(n)"), &ups_and_downs), GrowthVerdict::NotRefuted);
        for unclear in ["", "fast", "O(n) for m <= 16, else O(mn)"] {
            assert!(matches!(judged(unclear, |m| m), GrowthVerdict::NotJudged(_)), "{unclear}");
        }
    }

    #[test]
    fn lengths_that_are_too_near_each_other_are_not_compared() {
        let claim = WorstCaseClaim::read("O(n)");
        let near = [(8, 8.0), (12, 12.0), (16, 16.0)];
        assert!(matches!(judge(&claim, &near), GrowthVerdict::NotJudged(_)));
        let wide = [(8, 8.0), (12, 1.0), (16, 16.0), (64, 64.0)];
        assert_eq!(judge(&claim, &wide), GrowthVerdict::Contradicted);
    }
}
