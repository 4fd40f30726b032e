//! Several comparisons judged together: significances corrected for their number, and the words they get.

use super::{Difference, NullRange, Ratio, Verdict};
use crate::interval::CONFIDENCE;

/// One of several comparisons, judged together with the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The ratio, with an interval of 95 % that holds by itself.
    pub ratio: Ratio,
    /// Its significance, corrected for the number of comparisons by Holm's method.
    pub p: f64,
    /// What that shows, at 5 % for all comparisons together.
    pub verdict: Verdict,
}

/// Two times are called the same if the whole interval of their ratio lies within this share. Chosen, not
/// measured: the intervals of ten rounds have half-widths of 1 to 3 % on the machines that we tried
/// (docs/src/validation.md), so with a tighter limit the word would hardly ever be given.
pub const SAME_WITHIN: f64 = 0.05;

impl Comparison {
    /// `slower` or `faster`; `same` if the whole interval lies within [`SAME_WITHIN`]; else `unclear`.
    pub fn word(&self) -> &'static str {
        let within = self.ratio.high <= 1.0 + SAME_WITHIN && self.ratio.low >= 1.0 / (1.0 + SAME_WITHIN);
        match self.verdict {
            Verdict::Slower => "slower",
            Verdict::Faster => "faster",
            Verdict::Tied if within => "same",
            Verdict::Tied => "unclear",
        }
    }
}

/// Judges comparisons together, all with the same floor, a share of the time: with 95 %, none without a
/// difference beyond the floor is called one. What is `None` stays so.
pub fn judge(differences: &[Option<Difference>], floor: f64) -> Vec<Option<Comparison>> {
    let with_range = |difference: &Option<Difference>| difference.map(|one| (one, NullRange::within(floor)));
    judge_each(&differences.iter().map(with_range).collect::<Vec<_>>())
}

/// Judges comparisons together, each against a null range of its own: with 95 %, none whose true ratio lies
/// in its range is called different. What is `None` stays so.
pub fn judge_each(differences: &[Option<(Difference, NullRange)>]) -> Vec<Option<Comparison>> {
    let known: Vec<(Difference, NullRange)> = differences.iter().copied().flatten().collect();
    let p: Vec<f64> = known.iter().map(|(difference, null)| difference.p(*null)).collect();
    let mut corrected = holm(&p).into_iter();
    let mut judge_one = |(difference, _): (Difference, NullRange)| {
        let p = corrected.next()?;
        let verdict = if p >= 1.0 - CONFIDENCE {
            Verdict::Tied
        } else if difference.mean > 0.0 {
            Verdict::Slower
        } else {
            Verdict::Faster
        };
        Some(Comparison { ratio: difference.ratio(CONFIDENCE)?, p, verdict })
    };
    differences.iter().map(|difference| difference.and_then(&mut judge_one)).collect()
}

/// Significances, corrected so that they hold together, whatever their dependence (S. Holm, A simple
/// sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 1979): the least is
/// multiplied by their number, the next by one less, and so on; none falls below one before it.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut corrected = vec![0.0; p.len()];
    let mut least = 0.0f64;
    for (rank, i) in order.into_iter().enumerate() {
        least = least.max((p.len() - rank) as f64 * p[i]).min(1.0);
        corrected[i] = least;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn significances_are_corrected_as_in_the_table_of_holm() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        let expected = [0.03, 0.06, 0.06, 0.02];
        for (found, expected) in corrected.into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-3, "{found} instead of {expected}");
        }
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert_eq!(holm(&[]), [] as [f64; 0]);
    }

    #[test]
    fn the_same_is_what_is_known_to_be_near_and_unclear_what_is_not() {
        let word = |rounds: [f64; 4]| judge(&[Difference::paired(&rounds)], 0.01)[0].unwrap().word();
        assert_eq!(word([0.0, 0.01, 0.0, 0.01]), "same");
        assert_eq!(word([-0.2, 0.2, 0.1, 0.0]), "unclear");
        assert_eq!(word([0.02, 0.021, 0.02, 0.019]), "slower");
        assert_eq!(word([-0.7, -0.71, -0.7, -0.69]), "faster");
    }

    #[test]
    fn what_is_different_alone_may_not_be_so_among_many() {
        // t = 2.9 of 9 degrees: p = 0.018.
        let rounds: Vec<f64> = (0..10).map(|i| 0.1 + 0.036 * f64::from(i - 5)).collect();
        let difference = Difference::paired(&rounds);
        let verdict = |others: usize| {
            let none = Difference::paired(&[-0.01, 0.01]);
            let all: Vec<_> = std::iter::once(difference).chain(vec![none; others]).chain([None]).collect();
            let judged = judge(&all, 0.0);
            assert_eq!((judged.len(), judged[judged.len() - 1]), (others + 2, None));
            judged[0].unwrap().verdict
        };
        assert_eq!((verdict(0), verdict(9)), (Verdict::Slower, Verdict::Tied));
    }

    #[test]
    fn each_comparison_has_a_null_range_of_its_own() {
        let difference = Difference::paired(&[0.08, 0.081, 0.079]).unwrap();
        let range = NullRange::within(0.01);
        let judged =
            judge_each(&[Some((difference, range)), None, Some((difference, range.or_speed(&[1.1])))]);
        let verdicts: Vec<_> = judged.into_iter().map(|one| one.map(|one| one.verdict)).collect();
        assert_eq!(verdicts, [Some(Verdict::Slower), None, Some(Verdict::Tied)]);
    }

    proptest! {
        #[test]
        fn a_correction_keeps_the_order_and_never_lowers_a_significance(
            p in prop::collection::vec(0.0..1.0f64, 0..30)
        ) {
            let corrected = holm(&p);
            for (i, j) in (0..p.len()).flat_map(|i| (0..p.len()).map(move |j| (i, j))) {
                prop_assert!(corrected[i] >= p[i] && corrected[i] <= 1.0);
                prop_assert!(p[i] > p[j] || corrected[i] <= corrected[j]);
            }
        }
    }
}
