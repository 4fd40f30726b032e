//! The bootstrap of the median, computed rather than drawn.

use statrs::function::beta::beta_reg;

/// Probability on either side of an interval of 95 %.
const TAIL: f64 = 0.025;

/// The ends of the interval that leaves out 2.5 % of the medians of resamples on either side. The median of a
/// resample is one of the values, and how often it is which follows from the binomial distribution, so
/// nothing is drawn. Where resamples have two middle values, the interval reaches from the lower of one end
/// to the upper of the other.
///
/// Source: B. Efron, Bootstrap methods: another look at the jackknife, The Annals of Statistics 7(1), 1979,
/// section 3.
pub fn median_interval(values: &[f64]) -> [f64; 2] {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let n = sorted.len();
    let (lower, upper) = (n.div_ceil(2), n / 2 + 1);
    [sorted[quantile(n, lower, TAIL) - 1], sorted[quantile(n, upper, 1.0 - TAIL) - 1]]
}

/// The least rank `k` such that the value of rank `middle` in a resample of `n` is at most the value of rank
/// `k` with this probability.
fn quantile(n: usize, middle: usize, probability: f64) -> usize {
    let (mut below, mut from) = (0, n);
    while from - below > 1 {
        let k = below.midpoint(from);
        if at_most(n, middle, k) >= probability { from = k } else { below = k }
    }
    from
}

/// How probable it is that at least `middle` of `n` draws are among the `k` least values.
fn at_most(n: usize, middle: usize, k: usize) -> f64 {
    if k == n { 1.0 } else { beta_reg(middle as f64, (n - middle + 1) as f64, k as f64 / n as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All resamples of three values: 27, whose median is the least in 7 and the greatest in 7.
    #[test]
    fn a_few_values_are_worked_out_by_hand() {
        assert!((at_most(3, 2, 1) - 7.0 / 27.0).abs() < 1e-12);
        assert!((at_most(3, 2, 2) - 20.0 / 27.0).abs() < 1e-12);
        assert_eq!(median_interval(&[3.0, 1.0, 2.0]), [1.0, 3.0]);
        assert_eq!(median_interval(&[5.0]), [5.0, 5.0]);
    }

    /// For large n the ranks are those of the normal approximation, n/2 +- 0.98 sqrt(n).
    #[test]
    fn many_values_have_the_ranks_of_the_normal_approximation() {
        let values: Vec<f64> = (1..=10_000).map(f64::from).collect();
        let [low, high] = median_interval(&values);
        assert!((low - 4902.5).abs() <= 1.0 && (high - 5098.5).abs() <= 1.0, "{low} {high}");
    }

    #[test]
    fn the_interval_covers_the_median_as_often_as_it_says() {
        // A generator of Lehmer's: the test needs many samples, not good ones.
        let mut state = 1u64;
        let mut uniform = || {
            state = state * 48_271 % 2_147_483_647;
            state as f64 / 2_147_483_647.0
        };
        let mut covered = 0;
        for _ in 0..4000 {
            let sample: Vec<f64> = (0..41).map(|_| -uniform().ln()).collect();
            let [low, high] = median_interval(&sample);
            covered += usize::from((low..=high).contains(&2f64.ln()));
        }
        let share = covered as f64 / 4000.0;
        assert!((0.93..0.97).contains(&share), "{share}");
    }
}
