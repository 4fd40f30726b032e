//! The difference of two times in logarithms with its standard error, from paired rounds or from the rounds
//! of two runs.

use std::cmp::Ordering;

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::Ratio;
use crate::interval::CONFIDENCE;

/// By how much the logarithm of one time exceeds that of another, and how well that is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The estimate.
    pub(super) mean: f64,
    /// Its standard error.
    pub(super) error: f64,
    /// Degrees of freedom of the standard error.
    pub(super) degrees: f64,
}

/// Ratios that prove no difference, as logarithms from `low` (0 or less) to `high` (0 or more).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NullRange {
    low: f64,
    high: f64,
}

impl NullRange {
    /// Ratios from 1 / (1 + `floor`) to 1 + `floor`.
    pub fn within(floor: f64) -> Self {
        NullRange { low: -floor.ln_1p(), high: floor.ln_1p() }
    }

    /// The same range, and beyond it also what the machine's own speed explains. Each of `speed_ratios` is
    /// how many times as long the machine took for work that is the same in both runs; one that is no
    /// positive number explains nothing. Only the side to which the machine moved grows: a slower machine
    /// can't explain that an algorithm is faster.
    ///
    /// An algorithm may depend on the machine's speed wholly or not at all, so any factor between 1 and the
    /// farthest of these ratios may be the machine's.
    #[must_use]
    pub fn or_speed(self, speed_ratios: &[f64]) -> Self {
        let known = speed_ratios.iter().filter(|ratio| **ratio > 0.0 && ratio.is_finite());
        let (low, high) = known
            .map(|ratio| ratio.ln())
            .fold((0.0f64, 0.0f64), |(low, high), speed| (low.min(speed), high.max(speed)));
        NullRange { low: self.low + low, high: self.high + high }
    }

    /// Up to which share of the time slower is no difference: the greater time may be 1 plus this share of
    /// the lesser.
    pub fn slower(&self) -> f64 {
        self.high.exp_m1()
    }

    /// Up to which share of the time faster is no difference.
    pub fn faster(&self) -> f64 {
        (-self.low).exp_m1()
    }

    /// The same range, reaching at least up to 1 + `limit`: slower is only what is slower by more than that.
    #[must_use]
    pub fn up_to(self, limit: f64) -> Self {
        NullRange { high: self.high.max(limit.ln_1p()), ..self }
    }

    /// How far a logarithm lies outside; 0 inside.
    fn beyond(&self, logarithm: f64) -> f64 {
        (logarithm - self.high).max(self.low - logarithm).max(0.0)
    }
}

impl Difference {
    /// From paired rounds, each of which gives the logarithm of a ratio. `None` for fewer than two.
    pub fn paired(rounds: &[f64]) -> Option<Self> {
        let Moments { mean, of_mean, degrees } = Moments::new(rounds)?;
        Difference { mean, error: of_mean.sqrt(), degrees }.if_finite()
    }

    /// From the rounds of two runs, which are not paired: each gives the logarithm of a time (B. L. Welch,
    /// The generalization of `Student's' problem when several different population variances are involved,
    /// Biometrika 34, 1947). `None` if one run has fewer than two.
    pub fn unpaired(rounds: &[f64], baseline: &[f64]) -> Option<Self> {
        let (rounds, baseline) = (Moments::new(rounds)?, Moments::new(baseline)?);
        let variance = rounds.of_mean + baseline.of_mean;
        let parts = [&rounds, &baseline].map(|part| part.of_mean.powi(2) / part.degrees);
        // Without any variance the degrees don't matter, and Welch's formula is 0 / 0.
        let degrees = variance.powi(2) / parts.iter().sum::<f64>();
        let degrees = if degrees.is_finite() { degrees } else { rounds.degrees + baseline.degrees };
        Difference { mean: rounds.mean - baseline.mean, error: variance.sqrt(), degrees }.if_finite()
    }

    /// `Greater` if the first is slower by the mean, `Equal` if the mean is 0.
    pub fn order(&self) -> Ordering {
        self.mean.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
    }

    /// `None` where a time that is no number, or an infinite one, left no number to compare, or no interval
    /// of 95 % with finite ends.
    fn if_finite(self) -> Option<Self> {
        let Difference { mean, error, degrees } = self;
        let is_finite = mean.is_finite() && error.is_finite() && degrees.is_finite() && degrees > 0.0;
        (is_finite && self.ratio(CONFIDENCE).is_some()).then_some(self)
    }

    /// The ratio of the times, with the interval that covers the true ratio with this confidence; all three
    /// are positive and finite. `None` where an end of the interval is not, because a ratio between 0 and
    /// infinity says nothing: with two rounds, Student's distribution is so wide that the logarithms of an
    /// interval of many comparisons leave the range of numbers.
    pub fn ratio(&self, confidence: f64) -> Option<Ratio> {
        // Without any error there is no width, however wide the distribution is.
        let half = if self.error == 0.0 {
            0.0
        } else {
            self.student().inverse_cdf(f64::midpoint(1.0, confidence)) * self.error
        };
        let [ratio, low, high] = [self.mean, self.mean - half, self.mean + half].map(f64::exp);
        let is_known = [ratio, low, high].iter().all(|end| *end > 0.0 && end.is_finite());
        is_known.then_some(Ratio { ratio, low, high })
    }

    /// How far the estimated ratio is from 1 in either direction, as a share of the lesser time.
    pub fn distance(&self) -> f64 {
        self.mean.abs().exp_m1()
    }

    /// Upper bound of the probability that an estimate lies this far beyond the null range if the true ratio
    /// lies in it: twice that of one side. It is below 0.05 exactly where the interval of 95 % lies outside
    /// the range.
    pub fn p(&self, null: NullRange) -> f64 {
        let beyond = null.beyond(self.mean);
        if beyond <= 0.0 {
            1.0
        } else if self.error == 0.0 {
            0.0
        } else {
            // Beyond 1e100 the distribution is 0 anyway, and the square in its formula would overflow.
            2.0 * self.student().sf((beyond / self.error).min(1e100))
        }
    }

    fn student(&self) -> StudentsT {
        StudentsT::new(0.0, 1.0, self.degrees).expect("there is at least a part of a degree of freedom")
    }
}

/// Mean of values, the variance of this mean, and the degrees of freedom of that variance.
struct Moments {
    mean: f64,
    of_mean: f64,
    degrees: f64,
}

impl Moments {
    fn new(values: &[f64]) -> Option<Self> {
        let n = values.len() as f64;
        if values.len() < 2 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / n;
        let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        Some(Moments { mean, of_mean: squares / (n - 1.0) / n, degrees: n - 1.0 })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-3, "{found} instead of {expected}");
    }

    /// t(0.975) of 4 degrees is 2.776, and t = 2.776 has p = 0.05.
    #[test]
    fn a_paired_difference_is_that_of_the_table() {
        let difference = Difference::paired(&[0.1, 0.2, 0.3, 0.4, 0.5]).unwrap();
        let half = 2.776 * (0.025f64 / 5.0).sqrt();
        let ratio = difference.ratio(CONFIDENCE).unwrap();
        close(ratio.ratio.ln(), 0.3);
        close(ratio.low.ln(), 0.3 - half);
        close(ratio.high.ln(), 0.3 + half);
        let floor = (0.3 - half).exp_m1();
        close(difference.p(NullRange::within(floor)), 0.05);
        assert_eq!(difference.p(NullRange::within(0.5)), 1.0, "the estimate lies inside the range");
    }

    /// Variances of the means 0.0002 and 0.0018: (0.002)^2 / (0.0002^2 / 4 + 0.0018^2 / 4) = 4.878 degrees.
    #[test]
    fn the_rounds_of_two_runs_have_the_degrees_of_welch() {
        let rounds = [-0.04, -0.02, 0.0, 0.02, 0.04].map(|value| value + 1.0);
        let baseline = [-0.12, -0.06, 0.0, 0.06, 0.12];
        let difference = Difference::unpaired(&rounds, &baseline).unwrap();
        close(difference.mean, 1.0);
        close(difference.error.powi(2), 0.002);
        close(difference.degrees, 4.878);
        assert_eq!(Difference::unpaired(&rounds, &[1.0]), None);
    }

    #[test]
    fn equal_rounds_have_no_error_and_one_round_is_no_comparison() {
        let p = |difference: Difference, floor| difference.p(NullRange::within(floor));
        let equal = Difference::paired(&[0.5; 3]).unwrap();
        let Ratio { ratio, low, high } = equal.ratio(CONFIDENCE).unwrap();
        assert!(ratio == low && low == high, "{low} {high}");
        assert_eq!((p(equal, 0.01), p(Difference::paired(&[0.0; 3]).unwrap(), 0.0)), (0.0, 1.0));
        let runs = Difference::unpaired(&[0.5; 3], &[0.0; 2]).unwrap();
        assert_eq!((p(runs, 0.01), runs.ratio(CONFIDENCE).unwrap().low), (0.0, 0.5f64.exp()));
        assert_eq!(Difference::paired(&[0.5]), None);
    }

    /// t(0.975) of one degree is 12.706, and that of 357 comparisons by Bonferroni is 4545.
    #[test]
    fn an_interval_without_a_finite_end_is_none() {
        let difference = Difference::paired(&[0.0, 0.8]).unwrap();
        let many = 1.0 - (1.0 - CONFIDENCE) / 357.0;
        assert!(difference.ratio(CONFIDENCE).is_some() && difference.ratio(many).is_none());
        assert_eq!(difference.ratio(1.0), None, "to be sure, an interval would have to be infinite");
        assert!(
            Difference::paired(&[0.5; 2]).unwrap().ratio(1.0).is_some(),
            "without an error it has no width"
        );
        for rounds in [[0.0, 1e3], [f64::NAN, 0.0], [f64::INFINITY, 0.0], [800.0, 800.0], [-800.0, -800.0]] {
            assert_eq!(Difference::paired(&rounds), None, "{rounds:?}");
        }
    }

    #[test]
    fn a_slower_machine_explains_slower_algorithms_and_no_faster_ones() {
        let p = |ratio: f64, speed: f64, limit: f64| {
            let difference = Difference { mean: ratio.ln(), error: 0.002, degrees: 9.0 };
            difference.p(NullRange::within(0.02).or_speed(&[speed]).up_to(limit))
        };
        assert!(p(1.06, 1.0, 0.0) < 0.05 && p(1.06, 1.05, 0.0) == 1.0 && p(1.09, 1.05, 0.0) < 0.05);
        assert!(p(0.96, 1.0, 0.0) < 0.05 && p(0.96, 1.05, 0.0) < 0.05 && p(0.96, 0.97, 0.0) == 1.0);
        assert!(p(1.06, 0.9, 0.0) < 0.05, "a faster machine does not explain what is slower");
        assert!(p(1.06, 1.0, 0.1) == 1.0 && p(0.9, 1.0, 0.1) < 0.05, "the limit is one of slower ones");
        let range = NullRange::within(0.02);
        assert_eq!(range.or_speed(&[0.0, -1.0, f64::NAN, f64::INFINITY]), range);
        let both = range.or_speed(&[1.05, 0.9]);
        assert!((both.slower() - 0.071).abs() < 1e-9 && (both.faster() - (1.02 / 0.9 - 1.0)).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn a_wider_null_range_never_makes_a_difference_more_significant(
            rounds in prop::collection::vec(-0.5..0.5f64, 2..20), floor in 0.0..0.2f64, speed in 0.8..1.25f64,
        ) {
            let difference = Difference::paired(&rounds).unwrap();
            let range = NullRange::within(floor);
            let p = difference.p(range);
            prop_assert!((0.0..=1.0).contains(&p));
            prop_assert!(difference.p(range.or_speed(&[speed])) >= p);
            prop_assert!(difference.p(NullRange::within(0.0)) <= p);
        }

        #[test]
        fn swapping_the_sides_inverts_the_ratio_and_keeps_the_significance(
            a in prop::collection::vec(-0.5..0.5f64, 2..20), b in prop::collection::vec(-0.5..0.5f64, 2..20),
        ) {
            let forth = Difference::unpaired(&a, &b).unwrap();
            let back = Difference::unpaired(&b, &a).unwrap();
            let range = NullRange::within(0.01);
            prop_assert!((forth.p(range) - back.p(range)).abs() < 1e-9);
            let (forth, back) = (forth.ratio(CONFIDENCE).unwrap(), back.ratio(CONFIDENCE).unwrap());
            prop_assert!((forth.low * back.high - 1.0).abs() < 1e-9 && forth.low <= forth.ratio);
        }
    }
}
