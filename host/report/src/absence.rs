//! The reasons why an algorithm has no figure at a range value, such as times that are missing in some
//! repetitions.

use assay_base::columns::{ROUND, TOTAL_NS};
use assay_base::error::Result;
use assay_base::io::console::counted;
use assay_stats::Sample;
use assay_store::Status;

use super::{Call, FullData, Report};
use crate::RangeAxis;

/// A number of each repetition; `None` is missing.
type Repetitions = Vec<Option<f64>>;

/// The reason why an algorithm has no figures of its times at a range value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Absence {
    /// It was not measured there.
    NotMeasured,
    /// It is not made for this value, which is no failure.
    NotMadeFor,
    /// It failed there, with its status, such as `timed_out`.
    Failed(String),
    /// Some of its repetitions have no time.
    Missing(Gap),
    /// Some of its times are 0, because the clock is too coarse for them. No ratio over 0 can be computed.
    Zero,
    /// Its rounds were not recorded.
    NoRounds,
}

impl Absence {
    /// In a few words, for a table.
    pub fn word(&self) -> String {
        match self {
            Absence::NotMeasured => "not measured".to_owned(),
            Absence::NotMadeFor => "not made for it".to_owned(),
            Absence::Failed(status) => status.replace('_', " "),
            Absence::Missing(gap) if gap.missing == gap.of => "no times".to_owned(),
            Absence::Missing(_) => "times missing".to_owned(),
            Absence::Zero => "times of 0".to_owned(),
            Absence::NoRounds => "no rounds".to_owned(),
        }
    }
}

/// The number of repetitions in which a quantity is missing at a range value. A quantity that is missing in
/// one repetition gets no statistics, because otherwise a library that omits its slow searches would look
/// fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The range value.
    pub value: u64,
    /// The number of repetitions in which it is missing, at least one.
    pub missing: usize,
    /// The number of all repetitions that count.
    pub of: usize,
}

impl Gap {
    /// The gap in these repetitions at a range value; `None` if no figure is missing.
    pub fn new(value: u64, repetitions: &[Option<f64>]) -> Option<Self> {
        let missing = repetitions.iter().filter(|found| found.is_none()).count();
        (missing > 0).then_some(Gap { value, missing, of: repetitions.len() })
    }

    /// "missing in 3 of 20 repetitions (m=8), 20 of 20 (m=16): no figures there".
    pub fn in_words(gaps: &[Gap], axis: &RangeAxis) -> String {
        let mut words = Vec::new();
        for gap in gaps {
            // The first gap shows what is counted.
            let repetitions =
                if words.is_empty() { counted(gap.of, "repetition") } else { gap.of.to_string() };
            words.push(format!("{} of {repetitions} ({})", gap.missing, axis.at(gap.value)));
        }
        format!("missing in {}: no figures there", words.join(", "))
    }
}

/// Whether any of these times is 0, so that no ratio can be computed.
pub(super) fn any_zero(samples: &[Sample]) -> bool {
    samples.iter().any(|sample| sample.time <= 0.0)
}

impl Report {
    /// Whether an algorithm failed at a range value.
    pub(super) fn has_failed(&self, algorithm: &str, value: u64) -> bool {
        self.place(algorithm, value).is_some_and(|(full, range)| full.failed(range).is_some())
    }

    /// The measurements of an algorithm that count, and the number of a range value in them.
    pub(super) fn place(&self, algorithm: &str, value: u64) -> Option<(FullData<'_>, usize)> {
        let full = self.fulldata(algorithm)?;
        Some((full, full.place_of(value)?))
    }

    /// The times of a call, or of all together, of an algorithm at a range value, in the order of the
    /// repetitions; or the reason why they have no statistics.
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
            return Ok(Err(match full.failed(range) {
                None => Absence::NotMeasured,
                Some(status) if status == Status::CannotSearch.name() => Absence::NotMadeFor,
                Some(status) => Absence::Failed(status.to_owned()),
            }));
        }
        let (times, rounds) = self.times_and_rounds(full, range, call)?;
        if let Some(gap) = Gap::new(value, &times) {
            return Ok(Err(Absence::Missing(gap)));
        }
        let Some(rounds) = rounds else { return Ok(Err(Absence::NoRounds)) };
        let repetitions = rounds.into_iter().zip(full.repetition_numbers(range)).zip(times);
        let samples: Option<Vec<Sample>> = repetitions
            .map(|((round, repetition), time)| Some(Sample { round: round? as u32, repetition, time: time? }))
            .collect();
        Ok(samples.ok_or(Absence::NoRounds))
    }

    /// The times of a call, or of all together, and the rounds, in one pass over the rows. The time of all
    /// calls is the total by the host's clock, even if the algorithm has a clock of its own. In a row without
    /// a total, it is the sum of the calls.
    fn times_and_rounds(
        &self,
        full: FullData<'_>,
        range: usize,
        call: Option<Call>,
    ) -> Result<(Repetitions, Option<Repetitions>)> {
        let total = self.rawdata().column(TOTAL_NS).filter(|_| call.is_none());
        let calls = call.map_or(Call::ALL.to_vec(), |call| vec![call]);
        let parts = calls.into_iter().flat_map(|call| full.columns_of(self.rawdata().time(), call));
        let round = self.rawdata().column(ROUND);
        let columns: Vec<usize> = parts.chain(total).chain(round).collect();
        let mut values = full.columns(range, &columns)?;
        let rounds = round.and_then(|_| values.pop()).map(|rounds| full.rounds_by_part(range, rounds));
        let total = total.and_then(|_| values.pop());
        let times = (0..full.repetitions(range)).map(|i| {
            let total = total.as_ref().and_then(|total| total[i]);
            total.or_else(|| values.iter().map(|part| part[i]).sum())
        });
        Ok((times.collect(), rounds))
    }

    /// The reason why the times of a call, or of all together, can't be compared for an algorithm at a range
    /// value; `None` if they can.
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
    fn each_reason_why_there_are_no_times_is_reported() {
        let rows = "a,4,0,ok,3,1,2,3,0\na,4,1,ok,3,1,,,1\nb,4,0,timed_out,,,,,0\nb,8,0,ok,3,1,2,3,0\na,16,0,ok,3,1,,,0\n\
                    a,32,0,ok,3,1,2,3,\n\
                    c,4,0,ok,3,0,2,2,0\nc,8,0,cannot_search,,,,,0\n";
        let report_of_rounds = with_columns(",round", rows).unwrap();
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
            ("c", 8, search, "not made for it"),
            ("d", 4, search, "not measured"),
        ] {
            let absence = report_of_rounds.absence(algorithm, value, call).unwrap();
            let word = absence.map_or_else(|| "times".to_owned(), |absence| absence.word());
            assert_eq!(word, expected, "{algorithm} {value}");
            let times = report_of_rounds.times(algorithm, value, call).unwrap();
            assert_eq!(times.is_empty(), expected != "times", "{algorithm} {value}");
        }
        let gaps = vec![Gap { value: 4, missing: 1, of: 2 }, Gap { value: 16, missing: 1, of: 1 }];
        assert_eq!(report_of_rounds.gaps(search).unwrap(), [("a", gaps)]);
        let lone = report("a,4,0,ok,3,1,2,3\n");
        assert_eq!(lone.absence("a", 4, search).unwrap(), Some(Absence::NoRounds));
    }

    #[test]
    fn gaps_are_counted() {
        let gaps = [Gap { value: 8, missing: 3, of: 20 }, Gap { value: 16, missing: 20, of: 20 }];
        assert_eq!(
            Gap::in_words(&gaps, &RangeAxis::new(&report("").facts)),
            "missing in 3 of 20 repetitions (m=8), 20 of 20 (m=16): no figures there"
        );
    }
}
