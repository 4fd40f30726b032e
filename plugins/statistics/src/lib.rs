//! Elementary statistics. Lists of measurements are never empty, and every value is finite.

mod bootstrap;

use assay_plugin_api::{Statistic, register};

const MIN: Statistic = Statistic {
    id: "min",
    summary: "The least value.",
    reduce: |values| vec![values.iter().copied().fold(f64::INFINITY, f64::min)],
    ..Statistic::UNKNOWN
};
register!(statistic MIN);

const MED: Statistic = Statistic {
    id: "med",
    summary: "The median, p50: of an even number of values, the mean of the middle two.",
    reduce: |values| vec![median(values)],
    ..Statistic::UNKNOWN
};
register!(statistic MED);

const MAX: Statistic = Statistic {
    id: "max",
    summary: "The greatest value.",
    reduce: |values| vec![values.iter().copied().fold(f64::NEG_INFINITY, f64::max)],
    ..Statistic::UNKNOWN
};
register!(statistic MAX);

const AVG: Statistic = Statistic {
    id: "avg",
    summary: "The mean, or average: the sum over the number of values.",
    reduce: |values| vec![mean(values)],
    ..Statistic::UNKNOWN
};
register!(statistic AVG);

const STD: Statistic = Statistic {
    id: "std",
    summary: "The standard deviation: the square root of the population variance (divided by n, not n - 1).",
    reduce: |values| vec![deviation(values)],
    ..Statistic::UNKNOWN
};
register!(statistic STD);

const ALL: Statistic = Statistic {
    id: "all",
    summary: "All values, in the order in which they were measured.",
    reduce: |values| values.to_vec(),
    ..Statistic::UNKNOWN
};
register!(statistic ALL);

const P05: Statistic = Statistic {
    id: "p05",
    summary: "The quantile of 5 %: the value at 5 % of the way through the sorted list, between two of them in \
              proportion (type 7 of Hyndman and Fan, 1996).",
    reduce: |values| vec![quantile(values, 0.05)],
    ..Statistic::UNKNOWN
};
register!(statistic P05);

const P25: Statistic = Statistic {
    id: "p25",
    summary: "The lower quartile: the quantile of 25 %, as p05.",
    reduce: |values| vec![quantile(values, 0.25)],
    ..Statistic::UNKNOWN
};
register!(statistic P25);

const P75: Statistic = Statistic {
    id: "p75",
    summary: "The upper quartile: the quantile of 75 %, as p05.",
    reduce: |values| vec![quantile(values, 0.75)],
    ..Statistic::UNKNOWN
};
register!(statistic P75);

const P95: Statistic = Statistic {
    id: "p95",
    summary: "The quantile of 95 %, as p05.",
    reduce: |values| vec![quantile(values, 0.95)],
    ..Statistic::UNKNOWN
};
register!(statistic P95);

const IQR: Statistic = Statistic {
    id: "iqr",
    summary: "The distance of the quartiles: p75 - p25.",
    reduce: |values| vec![quantile(values, 0.75) - quantile(values, 0.25)],
    ..Statistic::UNKNOWN
};
register!(statistic IQR);

const MAD: Statistic = Statistic {
    id: "mad",
    summary: "The median of the distances from the median, as it is: times 1.4826 it is the standard deviation of normal values.",
    reduce: |values| {
        let middle = median(values);
        vec![median(&values.iter().map(|value| (value - middle).abs()).collect::<Vec<_>>())]
    },
    ..Statistic::UNKNOWN
};
register!(statistic MAD);

const CV: Statistic = Statistic {
    id: "cv",
    summary: "The coefficient of variation: std / avg. Nothing where a value is negative, or all are 0.",
    unit: Some(""),
    reduce: |values| {
        let mean = mean(values);
        let meant = mean > 0.0 && values.iter().all(|value| *value >= 0.0);
        meant.then(|| deviation(values) / mean).into_iter().collect()
    },
    ..Statistic::UNKNOWN
};
register!(statistic CV);

const GMEAN: Statistic = Statistic {
    id: "gmean",
    summary: "The geometric mean. Nothing where a value is not above 0.",
    reduce: |values| {
        let logarithms: Vec<f64> = values.iter().map(|value| value.ln()).collect();
        let meant = logarithms.iter().all(|logarithm| logarithm.is_finite());
        meant.then(|| mean(&logarithms).exp()).into_iter().collect()
    },
    ..Statistic::UNKNOWN
};
register!(statistic GMEAN);

const CI95: Statistic = Statistic {
    id: "ci95",
    summary: "Both ends of the interval of 95 % for the median, by the bootstrap, as if repetitions were independent; those of a \
              round are not, and the intervals of `run` and `--baseline` know that.",
    // One value says nothing of how far others would be.
    reduce: |values| match values {
        [_] => Vec::new(),
        values => bootstrap::median_interval(values).to_vec(),
    },
    ..Statistic::UNKNOWN
};
register!(statistic CI95);

/// Type 7 of R. J. Hyndman and Y. Fan, Sample quantiles in statistical packages, The American Statistician
/// 50(4), 1996.
fn quantile(values: &[f64], probability: f64) -> f64 {
    let mut sorted = values.to_vec();
    let place = probability * (sorted.len() - 1) as f64;
    let (_, &mut lower, above) = sorted.select_nth_unstable_by(place as usize, f64::total_cmp);
    let upper = above.iter().copied().fold(f64::INFINITY, f64::min);
    if place.fract() == 0.0 { lower } else { lower + place.fract() * (upper - lower) }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    let (below, &mut upper, _) = sorted.select_nth_unstable_by(values.len() / 2, f64::total_cmp);
    if values.len() % 2 == 1 {
        return upper;
    }
    let lower = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    f64::midpoint(lower, upper)
}

/// The sum is rounded once for each value; a second pass over what is left takes most of that error away.
fn mean(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let rough = values.iter().sum::<f64>() / n;
    rough + values.iter().map(|value| value - rough).sum::<f64>() / n
}

/// In two passes: the difference of two large sums would cancel.
fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / values.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_of_odd_and_even_numbers_of_values() {
        assert_eq!(median(&[7.0]), 7.0);
        assert_eq!(median(&[5.0, 1.0, 3.0]), 3.0);
        assert_eq!(median(&[5.0, 1.0, 4.0, 2.0]), 3.0);
        assert_eq!(median(&[1.0, 1.0, 9.0, 9.0, 9.0, 1.0]), 5.0);
    }

    #[test]
    fn deviation_divides_by_n() {
        assert_eq!(deviation(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]), 2.0);
        assert_eq!(deviation(&[42.0]), 0.0);
    }

    #[test]
    fn small_differences_of_large_values_are_not_lost() {
        let values = [1e15 + 1.0, 1e15 + 2.0, 1e15 + 3.0];
        assert_eq!(mean(&values), 1e15 + 2.0);
        assert_eq!(deviation(&values), (2.0f64 / 3.0).sqrt());
        // A sum from left to right gives 0.9999999999999999 here.
        assert_eq!(mean(&[0.1; 10]), 0.1);
    }

    #[test]
    fn what_has_no_meaning_is_nothing() {
        assert!((GMEAN.reduce)(&[1.0, 0.0]).is_empty() && (GMEAN.reduce)(&[-1.0]).is_empty());
        assert!((CV.reduce)(&[0.0, 0.0]).is_empty() && (CV.reduce)(&[-1.0, 3.0]).is_empty());
        assert_eq!((quantile(&[4.0], 0.95), quantile(&[1.0, 2.0], 0.25)), (4.0, 1.25));
    }

    #[test]
    fn each_statistic_reduces_as_it_says() {
        let values = [3.0, 1.0, 2.0, 10.0];
        let figures: [(&Statistic, &str, &[f64]); 15] = [
            (&MIN, "min", &[1.0]),
            (&MED, "med", &[2.5]),
            (&MAX, "max", &[10.0]),
            (&AVG, "avg", &[4.0]),
            (&STD, "std", &[3.535_533_905_932_737_8]),
            (&ALL, "all", &values),
            (&P05, "p05", &[1.15]),
            (&P25, "p25", &[1.75]),
            (&P75, "p75", &[4.75]),
            (&P95, "p95", &[8.95]),
            (&IQR, "iqr", &[3.0]),
            (&MAD, "mad", &[1.0]),
            (&CV, "cv", &[0.883_883_476_483_184_5]),
            (&GMEAN, "gmean", &[60f64.powf(0.25)]),
            (&CI95, "ci95", &[1.0, 10.0]),
        ];
        for (statistic, id, expected) in figures {
            let reduced = (statistic.reduce)(&values);
            let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-14 * b.abs();
            assert_eq!((statistic.id, reduced.len()), (id, expected.len()));
            assert!(reduced.iter().zip(expected).all(near), "{id}: {reduced:?}");
            assert!(statistic.summary.ends_with('.'), "{id}");
        }
        assert!((CI95.reduce)(&[5.0]).is_empty(), "one value has no interval");
    }
}
