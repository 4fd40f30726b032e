//! Statistics over the repetitions of each cell.

use std::ops::Range;

use assay_base::error::Result;
use assay_load::plugin::Statistic;

use super::{Data, Gap, MetricData};

/// A statistic of an algorithm, by range value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatData {
    /// The range values.
    pub range: Vec<u64>,
    /// The number of repetitions that have the quantity.
    pub repetitions: Vec<usize>,
    /// The range values without a statistic, because the quantity is missing in some repetitions.
    pub gaps: Vec<Gap>,
    /// The statistic: one number, or a list for a statistic that gives one; empty where it has no meaning.
    pub values: Vec<Vec<f64>>,
}

impl StatData {
    /// Data without any figure at these range values of an algorithm.
    pub(crate) fn missing(data: Data<'_>, piece: Range<usize>) -> Self {
        let range: Vec<u64> = piece.map(|at| data.range_value(at)).collect();
        let values = vec![Vec::new(); range.len()];
        StatData { repetitions: vec![0; range.len()], gaps: Vec::new(), values, range }
    }

    /// Appends further range values.
    pub(crate) fn extend(&mut self, more: StatData) {
        self.range.extend(more.range);
        self.repetitions.extend(more.repetitions);
        self.gaps.extend(more.gaps);
        self.values.extend(more.values);
    }
}

/// Reduces the repetitions at each range value to a statistic. If the quantity is missing in one of them,
/// there is no statistic.
///
/// # Errors
/// If the statistic fails.
pub fn apply_stat(statistic: &Statistic, data: &MetricData) -> Result<StatData> {
    let present: Vec<Vec<f64>> =
        data.values.iter().map(|values| values.iter().copied().flatten().collect()).collect();
    let repetitions: Vec<usize> = present.iter().map(Vec::len).collect();
    let gaps: Vec<Option<Gap>> =
        data.range.iter().zip(&data.values).map(|(value, all)| Gap::new(*value, all)).collect();
    let complete = gaps.iter().zip(&present).map(|(gap, present)| match gap {
        None => &present[..],
        Some(_) => &[],
    });
    let values = reduce(statistic, &complete.collect::<Vec<_>>())?;
    let gaps = gaps.into_iter().flatten().collect();
    Ok(StatData { range: data.range.clone(), repetitions, gaps, values })
}

/// Whether a statistic gives a list: it is tried with two values, and gives other than one number for them.
///
/// # Errors
/// If the statistic fails.
pub(crate) fn is_list(statistic: &Statistic) -> Result<bool> {
    Ok(reduce(statistic, &[&[1.0, 2.0]])?[0].len() != 1)
}

/// Reduces each list. An answer with an infinite number or no number becomes empty, because it has no
/// meaning.
fn reduce(statistic: &Statistic, lists: &[&[f64]]) -> Result<Vec<Vec<f64>>> {
    let mut answers = statistic.reduce(lists)?;
    for answer in answers.iter_mut().filter(|answer| !answer.iter().all(|value| value.is_finite())) {
        answer.clear();
    }
    Ok(answers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statistic(reduce: fn(&[f64]) -> Vec<f64>) -> Statistic {
        let unknown = assay_plugin_api::Statistic::UNKNOWN;
        Statistic::in_process(assay_plugin_api::Statistic { id: "s", reduce, ..unknown })
    }

    #[test]
    fn what_is_missing_in_one_repetition_has_no_statistic() {
        let values = vec![vec![Some(3.0), None, Some(5.0)], vec![None], vec![Some(3.0), Some(5.0)], vec![]];
        let data = MetricData { range: vec![4, 8, 16, 32], values };
        let sum = apply_stat(&statistic(|values| vec![values.iter().sum()]), &data).unwrap();
        assert_eq!(
            (sum.repetitions, sum.values),
            (vec![2, 0, 2, 0], vec![vec![], vec![], vec![8.0], vec![]])
        );
        let gaps = [Gap { value: 4, missing: 1, of: 3 }, Gap { value: 8, missing: 1, of: 1 }];
        assert_eq!(sum.gaps, gaps, "a cell that was not measured has no gap");
        let none = apply_stat(&statistic(|values| vec![values[0] / 0.0]), &data).unwrap();
        assert!(none.values.iter().all(Vec::is_empty));
    }

    #[test]
    fn a_statistic_gives_a_number_or_a_list() {
        assert!(is_list(&statistic(<[f64]>::to_vec)).unwrap());
        assert!(!is_list(&statistic(|values| vec![values[0]])).unwrap());
        assert!(
            is_list(&statistic(|_| panic!("oh")))
                .unwrap_err()
                .to_string()
                .contains("`s` of here.so: panicked")
        );
    }

    #[test]
    fn a_range_value_without_a_figure_is_still_there() {
        let report = super::super::tests::report("a,4,0,ok,3,1,2,3\na,8,0,ok,3,1,2,3\n");
        let missing = StatData::missing(report.data("a").unwrap(), 1..2);
        let expected = StatData { range: vec![8], repetitions: vec![0], gaps: vec![], values: vec![vec![]] };
        assert_eq!(missing, expected);
    }
}
