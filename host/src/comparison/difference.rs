//! The difference of two times in logarithms, with its error: from pairs of the same rounds, or from the rounds of two runs.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::{Ratio, Verdict};
use crate::interval::CONFIDENCE;

/// By how much the logarithm of a time exceeds that of another, and how well that is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The estimate.
    mean: f64,
    /// Its standard error.
    error: f64,
    /// Degrees of freedom of the error.
    degrees: f64,
}

impl Difference {
    /// Of the same rounds: each gives one logarithm of a ratio. `None` of less than two.
    pub fn paired(rounds: &[f64]) -> Option<Self> {
        let Moments { mean, of_mean, degrees } = Moments::of(rounds)?;
        Difference { mean, error: of_mean.sqrt(), degrees }.known()
    }

    /// Of two runs, whose rounds have nothing in common: each gives one logarithm of a time (B. L. Welch, 1947). `None` where
    /// one of them has less than two.
    pub fn unpaired(these: &[f64], others: &[f64]) -> Option<Self> {
        let (these, others) = (Moments::of(these)?, Moments::of(others)?);
        let variance = these.of_mean + others.of_mean;
        let parts = [&these, &others].map(|part| part.of_mean.powi(2) / part.degrees);
        // Without any variance, the degrees make no difference.
        let degrees = variance.powi(2) / parts.iter().sum::<f64>();
        let degrees = if degrees.is_finite() { degrees } else { these.degrees + others.degrees };
        Difference { mean: these.mean - others.mean, error: variance.sqrt(), degrees }.known()
    }

    /// Itself, unless times that are none have made it no number.
    fn known(self) -> Option<Self> {
        let Difference { mean, error, degrees } = self;
        (mean.is_finite() && error.is_finite() && degrees.is_finite() && degrees > 0.0).then_some(self)
    }

    /// The ratio of the times, with an interval that covers it with this confidence.
    pub fn ratio(&self, confidence: f64) -> Ratio {
        let half = self.student().inverse_cdf(f64::midpoint(1.0, confidence)) * self.error;
        // Without an error, half is 0 times a number.
        let [ratio, low, high] = [self.mean, self.mean - half, self.mean + half].map(f64::exp);
        Ratio { ratio, low, high }
    }

    /// How far the estimated ratio is from 1, in either direction: as a share of the lesser time.
    pub fn distance(&self) -> f64 {
        self.mean.abs().exp_m1()
    }

    /// How probable a ratio at least so far from 1 is, if the true one is no farther from it than the floor (as a share): less than
    /// 0.05 where the interval of 95 % lies beyond the floor.
    pub fn p(&self, floor: f64) -> f64 {
        let beyond = self.mean.abs() - floor.ln_1p();
        if beyond <= 0.0 {
            1.0
        } else if self.error == 0.0 {
            0.0
        } else {
            // Beyond this, the distribution has nothing left, and its square no number.
            2.0 * self.student().sf((beyond / self.error).min(1e100))
        }
    }

    fn student(&self) -> StudentsT {
        StudentsT::new(0.0, 1.0, self.degrees).expect("there are degrees of freedom")
    }
}

/// Of values that are drawn alike: their mean, its variance, and the degrees of freedom of that.
struct Moments {
    mean: f64,
    of_mean: f64,
    degrees: f64,
}

impl Moments {
    fn of(values: &[f64]) -> Option<Self> {
        let n = values.len() as f64;
        if values.len() < 2 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / n;
        let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        Some(Moments { mean, of_mean: squares / (n - 1.0) / n, degrees: n - 1.0 })
    }
}

/// A comparison among others, judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// The ratio, with an interval of 95 % that holds by itself.
    pub ratio: Ratio,
    /// The significance, corrected for the number of comparisons by Holm's method.
    pub p: f64,
    /// What that says, at 5 % of all comparisons together.
    pub verdict: Verdict,
}

/// Within so much of each other, as a share, two times are called the same.
pub const SAME: f64 = 0.05;

impl Judged {
    /// `slower` or `faster`; `same` if the whole interval lies within [`SAME`]; else `unclear`.
    pub fn word(&self) -> &'static str {
        let within = self.ratio.high <= 1.0 + SAME && self.ratio.low >= 1.0 / (1.0 + SAME);
        match self.verdict {
            Verdict::Slower => "slower",
            Verdict::Faster => "faster",
            Verdict::NotTold if within => "same",
            Verdict::NotTold => "unclear",
        }
    }
}

/// Judges comparisons together: with 95 %, no difference is claimed of any that has none beyond the floor.
pub fn judge(differences: &[Option<Difference>], floor: f64) -> Vec<Option<Judged>> {
    let known: Vec<Difference> = differences.iter().copied().flatten().collect();
    let p: Vec<f64> = known.iter().map(|difference| difference.p(floor)).collect();
    let mut corrected = holm(&p).into_iter();
    let judged = |difference: &Difference| {
        let p = corrected.next().expect("there are as many");
        let verdict = match p < 1.0 - CONFIDENCE {
            false => Verdict::NotTold,
            true if difference.mean > 0.0 => Verdict::Slower,
            true => Verdict::Faster,
        };
        Judged { ratio: difference.ratio(CONFIDENCE), p, verdict }
    };
    let mut judged = known.iter().map(judged).collect::<Vec<_>>().into_iter();
    differences.iter().map(|difference| difference.and_then(|_| judged.next())).collect()
}

/// Significances, corrected so that they hold together, whatever depends on what (S. Holm, 1979): the least times their
/// number, the next times one less ..
fn holm(p: &[f64]) -> Vec<f64> {
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
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-3, "{found} instead of {expected}");
    }

    /// t(0.975) of 4 degrees is 2.776, and t = 2.776 has p = 0.05.
    #[test]
    fn a_paired_difference_is_that_of_the_table() {
        let difference = Difference::paired(&[0.1, 0.2, 0.3, 0.4, 0.5]).unwrap();
        let half = 2.776 * (0.025f64 / 5.0).sqrt();
        let ratio = difference.ratio(CONFIDENCE);
        close(ratio.ratio.ln(), 0.3);
        close(ratio.low.ln(), 0.3 - half);
        close(ratio.high.ln(), 0.3 + half);
        let floor = (0.3 - half).exp_m1();
        close(difference.p(floor), 0.05);
        assert_eq!(difference.p(0.5), 1.0, "it is no farther than that");
    }

    /// Variances of the means 0.0002 and 0.0018: (0.002)^2 / (0.0002^2 / 4 + 0.0018^2 / 4) = 4.878 degrees.
    #[test]
    fn the_rounds_of_two_runs_have_the_degrees_of_welch() {
        let these = [-0.04, -0.02, 0.0, 0.02, 0.04].map(|value| value + 1.0);
        let others = [-0.12, -0.06, 0.0, 0.06, 0.12];
        let difference = Difference::unpaired(&these, &others).unwrap();
        close(difference.mean, 1.0);
        close(difference.error.powi(2), 0.002);
        close(difference.degrees, 4.878);
        assert_eq!(Difference::unpaired(&these, &[1.0]), None);
    }

    #[test]
    fn equal_rounds_have_no_error_and_one_round_is_no_comparison() {
        let equal = Difference::paired(&[0.5; 3]).unwrap();
        let Ratio { ratio, low, high } = equal.ratio(CONFIDENCE);
        assert!(ratio == low && low == high, "{low} {high}");
        assert_eq!((equal.p(0.01), Difference::paired(&[0.0; 3]).unwrap().p(0.0)), (0.0, 1.0));
        let runs = Difference::unpaired(&[0.5; 3], &[0.0; 2]).unwrap();
        assert_eq!((runs.p(0.01), runs.ratio(CONFIDENCE).low), (0.0, 0.5f64.exp()));
        assert_eq!(Difference::paired(&[0.5]), None);
    }

    #[test]
    fn significances_are_corrected_by_the_table_of_holm() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        let expected = [0.03, 0.06, 0.06, 0.02];
        for (found, expected) in corrected.into_iter().zip(expected) {
            close(found, expected);
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
        assert_eq!((verdict(0), verdict(9)), (Verdict::Slower, Verdict::NotTold));
    }
}
