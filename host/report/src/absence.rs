//! Why an algorithm has no figure at a range value: it has no times, or not in each repetition.

use assay_base::columns::{ROUND, TOTAL_NS};
use assay_base::error::Result;
use assay_base::io::console::counted;
use assay_stats::Sample;

use super::{Call, FullData, Report};
use crate::RangeAxis;

/// A number of each repetition; `None` is missing.
type Repetitions = Vec<Option<f64>>;

/// Why an algorithm has no figures of its times at a range value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Absence {
    /// It was not measured there.
    NotMeasured,
    /// It failed there: how, as `timed_out`.
    Failed(String),
    /// Some of its repetitions have no time.
    Missing(Gap),
    /// Some of its times are 0: the clock could not tell them, and there is no ratio over 0.
    Zero,
    /// Its rounds were not noted.
    NoRounds,
}

impl Absence {
    /// In a few words, for a table.
    pub fn word(&self) -> String {
        match self {
            Absence::NotMeasured => "not measured".to_owned(),
            Absence::Failed(status) => status.replace('_', " "),
            Absence::Missing(gap) if gap.missing == gap.of => "no times".to_owned(),
            Absence::Missing(_) => "times missing".to_owned(),
            Absence::Zero => "times of 0".to_owned(),
            Absence::NoRounds => "no rounds".to_owned(),
        }
    }
}

/// How many repetitions lack a quantity at a range value. What is missing in one has no statistics, since who
/// does not tell its slow searches would be the fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The range value.
    pub value: u64,
    /// How many lack it: one at least.
    pub missing: usize,
    /// Of how many.
    pub of: usize,
}

impl Gap {
    /// The gap in these repetitions at a range value; `None` if each has a figure.
    pub fn new(value: u64, repetitions: &[Option<f64>]) -> Option<Self> {
        let missing = repetitions.iter().filter(|found| found.is_none()).count();
        (missing > 0).then_some(Gap { value, missing, of: repetitions.len() })
    }

    /// "missing in 3 of 20 repetitions (m=8), 20 of 20 (m=16): no figures there".
    pub fn in_words(gaps: &[Gap], axis: &RangeAxis) -> String {
        let gap = |(place, gap): (usize, &Gap)| {
            let repetitions = if place == 0 { counted(gap.of, "repetition") } else { gap.of.to_string() };
            format!("{} of {repetitions} ({})", gap.missing, axis.at(gap.value))
        };
        let gaps: Vec<String> = gaps.iter().enumerate().map(gap).collect();
        format!("missing in {}: no figures there", gaps.join(", "))
    }
}

/// Whether a time is 0, over which there is no ratio.
pub(super) fn any_zero(samples: &[Sample]) -> bool {
    samples.iter().any(|sample| sample.time <= 0.0)
}

impl Report {
    /// Whether an algorithm failed at a range value.
    pub(super) fn has_failed(&self, algorithm: &str, value: u64) -> bool {
        self.place(algorithm, value).is_some_and(|(full, range)| full.failed(range).is_some())
    }

    /// What counts of an algorithm, and the number of a range value in it.
    pub(super) fn place(&self, algorithm: &str, value: u64) -> Option<(FullData<'_>, usize)> {
        let full = self.fulldata(algorithm)?;
        Some((full, full.place_of(value)?))
    }

    /// The times of a call, or of all together, of an algorithm at a range value, in the order of the
    /// repetitions; or why it has none that have statistics.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    pub(super) fn samples(
        &self,
        algorithm: &str,
        value: u64,
        call: Option<Call>,
    ) -> Result<Result<Vec<Sample>, Absence>> {
        let Some((full, range)) = self.place(algorithm, value) else { return Ok(Err(Absence::NotMeasured)) };
        if full.repetitions(range) == 0 {
            let failed = full.failed(range).map(|status| Absence::Failed(status.to_owned()));
            return Ok(Err(failed.unwrap_or(Absence::NotMeasured)));
        }
        let (times, rounds) = self.times_and_rounds(full, range, call)?;
        if let Some(gap) = Gap::new(value, &times) {
            return Ok(Err(Absence::Missing(gap)));
        }
        let Some(rounds) = rounds else { return Ok(Err(Absence::NoRounds)) };
        let sample = |((round, repetition), time): ((Option<f64>, u32), Option<f64>)| {
            Some(Sample { round: round? as u32, repetition, time: time? })
        };
        let samples: Option<Vec<Sample>> =
            rounds.into_iter().zip(full.repetition_numbers(range)).zip(times).map(sample).collect();
        Ok(samples.ok_or(Absence::NoRounds))
    }

    /// The times of a call, or of all together, and the rounds, in one pass over the rows. Both calls
    /// together are what the host measured, also of an algorithm with a clock of its own; a row without that
    /// has the sum of its calls.
    fn times_and_rounds(
        &self,
        full: FullData<'_>,
        range: usize,
        call: Option<Call>,
    ) -> Result<(Repetitions, Option<Repetitions>)> {
        let total = self.rawdata().column(TOTAL_NS).filter(|_| call.is_none());
        let calls = call.map_or(Call::ALL.to_vec(), |call| vec![call]);
        // The time is the first counter.
        let parts = calls.into_iter().map(|call| self.rawdata().column_of(0, call));
        let round = self.rawdata().column(ROUND);
        let columns: Vec<usize> = parts.chain(total).chain(round).collect();
        let mut values = full.columns(range, &columns)?;
        let rounds = round.and_then(|_| values.pop());
        let total = total.and_then(|_| values.pop());
        let sum = |i: usize| values.iter().map(|part| part[i]).sum::<Option<f64>>();
        let times = (0..full.repetitions(range))
            .map(|i| total.as_ref().and_then(|total| total[i]).or_else(|| sum(i)));
        let times = times.collect();
        Ok((times, rounds))
    }

    /// Why the time of a call, or of all together, of an algorithm can't be compared at a range value; `None`
    /// if it can.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    pub(crate) fn absence(&self, algorithm: &str, value: u64, call: Option<Call>) -> Result<Option<Absence>> {
        Ok(match self.samples(algorithm, value, call)? {
            Err(absence) => Some(absence),
            Ok(samples) => any_zero(&samples).then_some(Absence::Zero),
        })
    }

    /// The algorithms whose times are missing in some repetitions that count, and where.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    pub fn gaps(&self, call: Option<Call>) -> Result<Vec<(&str, Vec<Gap>)>> {
        let mut all = Vec::new();
        for algorithm in self.algorithms() {
            let absences = self.range().into_iter().map(|value| self.absence(algorithm, value, call));
            let gaps = absences.filter_map(|absence| match absence {
                Ok(Some(Absence::Missing(gap))) => Some(Ok(gap)),
                Ok(_) => None,
                Err(error) => Some(Err(error)),
            });
            all.push((algorithm, gaps.collect::<Result<Vec<Gap>>>()?));
        }
        all.retain(|(_, gaps)| !gaps.is_empty());
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{report, with_columns};
    use super::*;

    #[test]
    fn why_there_are_no_times_is_told() {
        let rows = "a,4,0,ok,3,1,2,3,0\na,4,1,ok,3,1,,,1\nb,4,0,timed_out,,,,,0\nb,8,0,ok,3,1,2,3,0\na,16,0,ok,3,1,,,0\n\
                    a,32,0,ok,3,1,2,3,\n\
                    c,4,0,ok,3,0,2,2,0\n";
        let report_of_rounds = with_columns(",round", rows).unwrap();
        let word = |algorithm, value, call| {
            let absence = report_of_rounds.absence(algorithm, value, call).unwrap();
            absence.map_or_else(|| "times".to_owned(), |absence| absence.word())
        };
        let search = Some(Call::Search);
        for (algorithm, value, call, expected) in [
            ("a", 4, search, "times missing"),
            ("a", 4, None, "times missing"),
            ("a", 4, Some(Call::Prepare), "times"),
            ("a", 16, search, "no times"),
            ("a", 32, search, "no rounds"),
            ("b", 4, search, "timed out"),
            ("b", 8, search, "times"),
            ("b", 16, search, "not measured"),
            ("c", 4, search, "times"),
            ("c", 4, Some(Call::Prepare), "times of 0"),
            ("d", 4, search, "not measured"),
        ] {
            assert_eq!(word(algorithm, value, call), expected, "{algorithm} {value}");
            let times = report_of_rounds.times(algorithm, value, call).unwrap();
            assert_eq!(times.is_empty(), expected != "times", "{algorithm} {value}");
        }
        let gap = |value, missing, of| Gap { value, missing, of };
        let gaps = vec![gap(4, 1, 2), gap(16, 1, 1)];
        assert_eq!(report_of_rounds.gaps(search).unwrap(), [("a", gaps)]);
        let lone = report("a,4,0,ok,3,1,2,3\n");
        assert_eq!(lone.absence("a", 4, search).unwrap(), Some(Absence::NoRounds));
    }

    #[test]
    fn gaps_are_counted() {
        let gap = |value, missing| Gap { value, missing, of: 20 };
        let axis = RangeAxis::new(&report("").facts);
        assert_eq!(
            Gap::in_words(&[gap(8, 3), gap(16, 20)], &axis),
            "missing in 3 of 20 repetitions (m=8), 20 of 20 (m=16): no figures there"
        );
    }
}
