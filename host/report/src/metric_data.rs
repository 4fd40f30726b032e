//! Metrics applied to the measurements of an algorithm.

use std::ops::Range;

use assay_base::error::{Result, unknown};

use super::number_source::NumberSource;
use super::{Call, Data, Quantity, Report, blocks};

/// A quantity of an algorithm: `[range][repetition]`.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricData {
    /// The range values.
    pub range: Vec<u64>,
    /// The quantity in each repetition that counts; `None` where an input is missing or the metric has no
    /// meaning.
    pub values: Vec<Vec<Option<f64>>>,
}

impl Report {
    /// A quantity of an algorithm in each repetition: `[range][repetition]`. It belongs to the call of this
    /// number in [`Data::calls`], summed over the sum-range, or with `None` to all calls together.
    ///
    /// # Errors
    /// If there is no such algorithm, call, counter or column, if the metric fails, or if the measurements
    /// can't be read again.
    pub fn apply_metric(
        &self,
        quantity: &Quantity,
        call: Option<usize>,
        algorithm: &str,
    ) -> Result<MetricData> {
        let all = self.data(algorithm).map_or(0..0, |data| 0..data.range().len());
        let Some(number) = call else { return self.metric_values(quantity, None, algorithm, all) };
        let (report, kind) = self.select_call_number(number)?;
        report.metric_values(quantity, Some(kind), algorithm, all)
    }

    /// A quantity of an algorithm in each repetition at some of its range values, which are numbered from 0.
    /// It belongs to one kind of call, or with `None` to all calls together. [`Data::pieces`] has range
    /// values that fit into memory together.
    ///
    /// # Errors
    /// If there is no such algorithm, counter or column, if the metric fails, or if the measurements can't be
    /// read again.
    ///
    /// # Panics
    /// If there are no such range values.
    pub(crate) fn metric_values(
        &self,
        quantity: &Quantity,
        call: Option<Call>,
        algorithm: &str,
        piece: Range<usize>,
    ) -> Result<MetricData> {
        let data = self.data(algorithm).ok_or_else(|| unknown("algorithm", algorithm, self.algorithms()))?;
        let range = piece.clone().map(|at| data.range_value(at)).collect();
        let values = match quantity {
            Quantity::Measured(name) if self.is_of_starts(quantity) => {
                let column = blocks::column(name).expect("it is of starts");
                let mut values = Vec::new();
                for at in piece {
                    // A cell without repetitions that count has no figures of its starts either.
                    values.push(if data.repetitions(at) == 0 {
                        Vec::new()
                    } else {
                        self.blocks.start_values(algorithm, data.range_value(at), column)
                    });
                }
                values
            }
            Quantity::Measured(name) => {
                let source = self.measured(name).ok_or_else(|| unknown("quantity", name, self.columns()))?;
                piece.map(|at| source.values(self, data, at, call)).collect::<Result<_>>()?
            }
            Quantity::Metric(_) | Quantity::Formula(_) => {
                self.computed_values(quantity, call, data, piece)?
            }
        };
        Ok(MetricData { range, values })
    }

    /// The values of a metric or a formula in each repetition at some range values: `[range][repetition]`.
    /// All are missing if the run did not measure one of the inputs.
    fn computed_values(
        &self,
        quantity: &Quantity,
        call: Option<Call>,
        data: Data<'_>,
        piece: Range<usize>,
    ) -> Result<Vec<Vec<Option<f64>>>> {
        let lengths = piece.clone().map(|at| data.repetitions(at));
        let sources: Option<Vec<NumberSource>> =
            quantity.inputs().iter().map(|input| self.input(input)).collect();
        let Some(sources) = sources else { return Ok(lengths.map(|length| vec![None; length]).collect()) };
        let mut inputs = Vec::new();
        for source in sources {
            let values = piece.clone().map(|at| source.values(self, data, at, call));
            inputs.push(values.collect::<Result<Vec<_>>>()?.concat());
        }
        let mut results = evaluate(quantity, &inputs, lengths.clone().sum())?.into_iter();
        Ok(lengths.map(|length| results.by_ref().take(length).collect()).collect())
    }
}

/// The values of a metric or a formula in each repetition; `None` where an input is missing. A metric is
/// called once for all complete repetitions.
fn evaluate(
    quantity: &Quantity,
    inputs: &[Vec<Option<f64>>],
    repetitions: usize,
) -> Result<Vec<Option<f64>>> {
    let complete: Vec<bool> =
        (0..repetitions).map(|i| inputs.iter().all(|input| input[i].is_some())).collect();
    let columns: Vec<Vec<f64>> = inputs.iter().map(|input| complete_values(input, &complete)).collect();
    let rows = complete.iter().filter(|complete| **complete).count();
    let results = match quantity {
        Quantity::Metric(metric) => metric.evaluate(&columns, rows)?,
        Quantity::Formula(formula) => formula.evaluate(&columns, rows),
        Quantity::Measured(_) => vec![None; rows],
    };
    let mut results = results.into_iter();
    Ok(complete.into_iter().map(|complete| if complete { results.next().flatten() } else { None }).collect())
}

/// The values of an input in the complete repetitions.
fn complete_values(input: &[Option<f64>], complete: &[bool]) -> Vec<f64> {
    let values = input.iter().zip(complete).filter(|(_, complete)| **complete);
    values.filter_map(|(value, _)| *value).collect()
}
