//! The ranks of the algorithms of a saved run, and its noise floor.

use assay_base::columns::PerCall;
use assay_base::error::Result;
use assay_experiment::selection::original;
use assay_stats::Sample;
use assay_store::Null;
use assay_store::noise::Noise;
use assay_store::null::floor;
use assay_store::rank::Rank;

use super::absence::any_zero;
use super::ranking::{TypicalTime, any_below, floor_of, ranks};
use super::{Call, Report};

impl Report {
    /// The ranks of all algorithms at each range value, by the time of one call or of all:
    /// `[range][algorithm]`. No algorithm has a rank in a run that did not record its rounds or has no times
    /// of this machine.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    pub fn ranks(&self, call: Option<Call>) -> Result<Vec<Vec<Rank>>> {
        let algorithms: Vec<&str> = self.algorithms().collect();
        let range = self.range();
        if !self.facts.has_times() {
            return Ok(vec![vec![Rank::default(); algorithms.len()]; range.len()]);
        }
        let least = floor(self.null(call)?.as_ref(), call);
        let mut by_value = Vec::new();
        for value in range {
            let typical_times = self.typical_times(value, call)?;
            let times = |i| self.times(algorithms[i], value, call);
            by_value.push(ranks(&typical_times, self.floor_ns(call), least, times)?);
        }
        Ok(by_value)
    }

    /// The algorithms whose median time of a call, or of all together, is less than ten empty calls:
    /// `[range][algorithm]`.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    pub fn small(&self, call: Option<Call>) -> Result<Vec<Vec<bool>>> {
        let (range, floor_ns) = (self.range(), self.floor_ns(call));
        if floor_ns.is_none() {
            return Ok(vec![vec![false; self.algorithms().len()]; range.len()]);
        }
        let mut by_value = Vec::new();
        for value in range {
            let typical_times = self.typical_times(value, call)?;
            by_value.push(typical_times.into_iter().map(|times| any_below(&[times], floor_ns)).collect());
        }
        Ok(by_value)
    }

    /// How much algorithms that were measured more than once differ from themselves; `None` if none was. It is
    /// of the whole run also for a subset, because it is how well the run can tell algorithms apart.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    pub fn null(&self, call: Option<Call>) -> Result<Option<Null>> {
        let mut null = Null::default();
        self.whole().add_to_null(&mut null, call)?;
        Ok((!null.algorithms.is_empty()).then_some(null))
    }

    /// The same as [`null`](Self::null), by each kind of call and by all calls together.
    ///
    /// # Errors
    /// As [`null`](Self::null).
    fn null_of_all_calls(&self) -> Result<Option<Null>> {
        let mut null = Null::default();
        for call in PerCall::<()>::CALLS {
            self.whole().add_to_null(&mut null, call)?;
        }
        Ok((!null.algorithms.is_empty()).then_some(null))
    }

    /// The disturbances of the run, with the noise floor that its copies of algorithms show.
    ///
    /// # Errors
    /// As [`null`](Self::null).
    pub fn noise(&self) -> Result<Noise> {
        let null = if self.facts.has_times() { self.null_of_all_calls()? } else { None };
        Ok(Noise { null, ..self.facts.noise.clone() })
    }

    /// Adds how much copies of an algorithm differ by the times of a call. Range values with times that are
    /// too short are left out, because their ratios show the clock.
    fn add_to_null(&self, null: &mut Null, call: Option<Call>) -> Result<()> {
        let algorithms: Vec<&str> = self.algorithms().collect();
        if !self.facts.has_times() || algorithms.iter().all(|id| original(id) == *id) {
            return Ok(());
        }
        for value in self.range() {
            let typical_times = self.typical_times(value, call)?;
            if !any_below(&typical_times, self.floor_ns(call)) {
                let done = algorithms.iter().zip(typical_times).filter(|(_, middle)| middle.is_some());
                let done: Vec<&str> = done.map(|(id, _)| *id).collect();
                null.add(call, &done, |i| self.times(done[i], value, call))?;
            }
        }
        Ok(())
    }

    /// The clock floor of the times of a call, or of all together.
    fn floor_ns(&self, call: Option<Call>) -> Option<f64> {
        let floor_ns = self.facts.noise.floor_ns?;
        if let Some(selected) = self.selection(call) {
            return Some(floor_ns * selected.numbers.len() as f64);
        }
        let calls = self.facts.calls.iter().map(|other| other.call);
        Some(floor_of(floor_ns, calls, call))
    }

    /// The median and the least time of each algorithm at a range value.
    pub(super) fn typical_times(&self, value: u64, call: Option<Call>) -> Result<Vec<Option<TypicalTime>>> {
        let mut typical_times = Vec::new();
        for algorithm in self.algorithms() {
            // Repetitions before a failure may be shown, but a failed cell is not ranked.
            typical_times.push(match self.samples(algorithm, value, call)? {
                Ok(samples) if !self.has_failed(algorithm, value) => {
                    TypicalTime::new(samples.into_iter().map(|sample| sample.time).collect())
                }
                _ => None,
            });
        }
        Ok(typical_times)
    }

    /// Whether the median of these times is less than ten empty calls of this run.
    pub(super) fn too_short(&self, times: &[Sample], call: Option<Call>) -> bool {
        any_below(&[TypicalTime::new(times.iter().map(|sample| sample.time).collect())], self.floor_ns(call))
    }

    /// The times of an algorithm at a range value that count, in the order of the repetitions; none where
    /// they can't be compared: [`absence`](Self::absence) says why.
    pub(super) fn times(&self, algorithm: &str, value: u64, call: Option<Call>) -> Result<Vec<Sample>> {
        let samples = self.samples(algorithm, value, call)?;
        Ok(samples.ok().filter(|samples| !any_zero(samples)).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{report, with_columns};
    use super::*;

    fn rank_number(rank: &Rank) -> Option<usize> {
        Some(rank.standing?.rank)
    }

    #[test]
    fn ranks_are_those_of_the_call_and_the_range_value() {
        let mut rows = String::new();
        for round in 0..5 {
            for (algorithm, search) in [("a", 1000 + round), ("b", 1002 - round), ("c", 1500)] {
                rows += &format!("{algorithm},4,{round},ok,3,{},{search},0,{round}\n", 3000 - 2 * search);
            }
            rows += &format!("c,8,{round},ok,3,1,1500,0,{round}\n");
        }
        let report = with_columns(",round", &rows).unwrap();
        let by_search = report.ranks(Some(Call::Search)).unwrap();
        assert_eq!(by_search[0].iter().map(rank_number).collect::<Vec<_>>(), [Some(1), Some(1), Some(3)]);
        assert_eq!(by_search[1].iter().map(rank_number).collect::<Vec<_>>(), [None, None, Some(1)]);
        assert_eq!((by_search.len(), report.ranks(Some(Call::Prepare)).unwrap().len()), (2, 2));
    }

    #[test]
    fn a_run_without_rounds_has_no_ranks() {
        let report = report("a,4,0,ok,3,10,20,30\na,4,1,ok,3,10,20,30\nb,4,0,ok,3,10,90,100\n");
        assert_eq!(report.ranks(None).unwrap(), [[Rank::default(); 2]]);
    }
}
