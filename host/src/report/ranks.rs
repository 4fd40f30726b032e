//! Where the algorithms of a saved run stand, by their times.

use super::{Call, Report};
use crate::columns::ROUND;
use crate::comparison::Sample;
use crate::interval::median;
use crate::results::ranking::{Rank, ranks};

impl Report {
    /// The ranks of all algorithms at each range value, by the time of one call or of all: `[range][algorithm]`. Nobody has
    /// one in a run that did not note its rounds.
    pub fn ranks(&self, call: Option<Call>) -> Vec<Vec<Rank>> {
        let of_range = |value| {
            let times: Vec<Vec<Sample>> =
                self.algorithms().map(|algorithm| self.times(algorithm, value, call)).collect();
            let medians: Vec<Option<f64>> = times
                .iter()
                .map(|times| times.iter().map(|sample| sample.time).collect::<Vec<_>>())
                .map(|mut times| if times.is_empty() { None } else { Some(median(&mut times)) })
                .collect();
            let times: Vec<&[Sample]> = times.iter().map(Vec::as_slice).collect();
            ranks(&times, &medians, self.facts.noise.floor_ns)
        };
        self.range().into_iter().map(of_range).collect()
    }

    /// The times of an algorithm at a range value that count.
    fn times(&self, algorithm: &str, value: u64, call: Option<Call>) -> Vec<Sample> {
        let raw = self.rawdata();
        let (Some(round), Some(data), Some(full)) =
            (raw.column(ROUND), self.data(algorithm), self.fulldata(algorithm))
        else {
            return Vec::new();
        };
        let Some(range) = data.range().position(|found| found == value) else { return Vec::new() };
        let sample = |repetition| {
            let row = full.row(range, repetition, 0);
            Some(Sample {
                round: raw.value(row, round)? as u32,
                repetition: raw.repetition(row)?,
                // The time is the first counter.
                time: data.get(range, repetition, call, 0)?,
            })
        };
        (0..data.repetitions(range)).filter_map(sample).collect()
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
            report.ranks(call).iter().map(of_range).collect()
        };
        let lone = vec![None, None, Some(1)];
        assert_eq!(ranks(Some(Call::Search)), [vec![Some(1), Some(1), Some(3)], lone.clone()]);
        assert_eq!(ranks(Some(Call::Prepare)).len(), 2);
    }

    #[test]
    fn a_run_without_rounds_has_no_ranks() {
        let report = report("a,4,0,ok,3,10,20,30\na,4,1,ok,3,10,20,30\nb,4,0,ok,3,10,90,100\n");
        assert_eq!(report.ranks(None), [[Rank::default(); 2]]);
    }
}
