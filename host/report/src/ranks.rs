//! Where the algorithms of a saved run stand, by their times.

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
    /// `[range][algorithm]`. No algorithm has one in a run that did not note its rounds or has no times of
    /// this machine.
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
        let of_range = |value| {
            let typical_times = self.typical_times(value, call)?;
            ranks(&typical_times, self.floor_ns(call), least, |i| self.times(algorithms[i], value, call))
        };
        range.into_iter().map(of_range).collect()
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
        let of_range = |value| {
            let typical_times = self.typical_times(value, call)?;
            Ok(typical_times.into_iter().map(|middle| any_below(&[middle], floor_ns)).collect())
        };
        range.into_iter().map(of_range).collect()
    }

    /// By how much algorithms that were measured more than once differ from themselves; `None` if none was.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    pub fn null(&self, call: Option<Call>) -> Result<Option<Null>> {
        let mut null = Null::default();
        self.add_to_null(&mut null, call)?;
        Ok((!null.algorithms.is_empty()).then_some(null))
    }

    /// The same in each kind of call, and in all together.
    ///
    /// # Errors
    /// As [`null`](Self::null).
    fn null_of_all_calls(&self) -> Result<Option<Null>> {
        let mut null = Null::default();
        for call in PerCall::<()>::CALLS {
            self.add_to_null(&mut null, call)?;
        }
        Ok((!null.algorithms.is_empty()).then_some(null))
    }

    /// What else happened during the run, with the noise floor that its copies of algorithms show.
    ///
    /// # Errors
    /// As [`null`](Self::null).
    pub fn noise(&self) -> Result<Noise> {
        let null = if self.facts.has_times() { self.null_of_all_calls()? } else { None };
        Ok(Noise { null, ..self.facts.noise.clone() })
    }

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

    /// What the empty calls in a time take.
    fn floor_ns(&self, call: Option<Call>) -> Option<f64> {
        let calls = self.facts.calls.iter().map(|other| other.call);
        Some(floor_of(self.facts.noise.floor_ns?, calls, call))
    }

    /// The middle of each algorithm's times at a range value.
    fn typical_times(&self, value: u64, call: Option<Call>) -> Result<Vec<Option<TypicalTime>>> {
        let middle = |algorithm: &str| {
            // What a failed cell survived may be shown, but is nobody's rank.
            match self.samples(algorithm, value, call)? {
                Ok(samples) if !self.has_failed(algorithm, value) => {
                    Ok(TypicalTime::new(samples.into_iter().map(|sample| sample.time).collect()))
                }
                _ => Ok(None),
            }
        };
        self.algorithms().map(middle).collect()
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
        let ranks = |call| -> Vec<Vec<Option<usize>>> {
            let of_range = |ranks: &Vec<Rank>| ranks.iter().map(|r| Some(r.standing?.rank)).collect();
            report.ranks(call).unwrap().iter().map(of_range).collect()
        };
        let lone = vec![None, None, Some(1)];
        assert_eq!(ranks(Some(Call::Search)), [vec![Some(1), Some(1), Some(3)], lone.clone()]);
        assert_eq!(ranks(Some(Call::Prepare)).len(), 2);
    }

    #[test]
    fn a_run_without_rounds_has_no_ranks() {
        let report = report("a,4,0,ok,3,10,20,30\na,4,1,ok,3,10,20,30\nb,4,0,ok,3,10,90,100\n");
        assert_eq!(report.ranks(None).unwrap(), [[Rank::default(); 2]]);
    }
}
