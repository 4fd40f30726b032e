//! Intervals of the medians of any quantity, from how its rounds differ.

use assay_base::error::Result;
use assay_stats::{Interval, Summary};

use super::{Call, FullData, Quantity, Report};

impl Report {
    /// These values of the repetitions of a cell, each with the number of its round. If rounds are not known,
    /// all are in one round, because values without rounds have no interval.
    pub(crate) fn by_round(
        &self,
        quantity: &Quantity,
        full: FullData<'_>,
        range: usize,
        values: Vec<f64>,
    ) -> Result<Vec<(u32, f64)>> {
        // A quantity of the starts of workers has no rounds.
        let rounds = if self.is_of_starts(quantity) { None } else { full.rounds(range)? };
        let rounds = rounds.unwrap_or_else(|| vec![None; values.len()]);
        Ok(rounds.into_iter().map(|round| round.unwrap_or(0.0) as u32).zip(values).collect())
    }

    /// The interval of the median of a quantity at a range value; `None` if it has fewer than six rounds, or
    /// misses values.
    ///
    /// # Errors
    /// If a metric fails, or the measurements can't be read again.
    pub(crate) fn interval_of_median(
        &self,
        quantity: &Quantity,
        call: Option<Call>,
        algorithm: &str,
        value: u64,
    ) -> Result<Option<Interval>> {
        let Some((full, range)) = self.place(algorithm, value) else { return Ok(None) };
        let values = self.metric_values(quantity, call, algorithm, range..range + 1)?.values.remove(0);
        let values = values.into_iter().map(|value| value.filter(|value| value.is_finite()));
        let Some(values) = values.collect::<Option<Vec<f64>>>() else { return Ok(None) };
        let rounds = self.by_round(quantity, full, range, values)?;
        Ok(Summary::of_rounds(rounds).and_then(|summary| summary.ci95))
    }
}
