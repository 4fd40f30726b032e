//! Elementary statistics. Lists of measurements are never empty, and every value is finite.

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
    summary: "The median: of an even number of values, the mean of the middle two.",
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
    summary: "The arithmetic mean.",
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
    fn each_statistic_reduces_as_it_says() {
        let values = [3.0, 1.0, 2.0, 10.0];
        let figures: [(&Statistic, &str, &[f64]); 6] = [
            (&MIN, "min", &[1.0]),
            (&MED, "med", &[2.5]),
            (&MAX, "max", &[10.0]),
            (&AVG, "avg", &[4.0]),
            (&STD, "std", &[3.535_533_905_932_737_8]),
            (&ALL, "all", &values),
        ];
        for (statistic, id, expected) in figures {
            assert_eq!((statistic.id, (statistic.reduce)(&values).as_slice()), (id, expected));
            assert!(statistic.summary.ends_with('.'), "{id}");
        }
    }
}
