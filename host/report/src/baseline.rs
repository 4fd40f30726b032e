//! All algorithms of a run compared with one of them, the baseline: pattern by pattern at each range value,
//! and over all range values.

use assay_base::error::{Error, Result, unknown};
use assay_stats::RoundValues;
use assay_stats::rounds::log_ratios;
use assay_stats::significance::{Comparison, Difference, Overall, judge, overall};
use assay_store::Null;
use assay_store::null::floor;
use assay_store::rank::Rank;
use assay_store::repetitions::ends;

use super::{Absence, Call, Gap, Report};

/// All algorithms of a run compared with one of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Baseline {
    /// One for each range value and algorithm, in this order; the baseline is among them.
    pub cells: Vec<BaselineCell>,
    /// The overall ratio and rank of each algorithm, and the number of range values that they include.
    pub overall: (Vec<(String, Overall)>, usize),
    /// The noise floor, as a share of the time. Ratios within it are ties.
    pub floor: f64,
    /// How much the algorithms that were measured more than once differ from themselves.
    pub null: Option<Null>,
    /// The number of ratios for which the significances are corrected.
    pub comparisons: usize,
    /// The fewest and the most rounds of such a ratio; `None` if there is no ratio.
    pub rounds: Option<(usize, usize)>,
}

/// An algorithm at a range value compared with the baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct BaselineCell {
    /// The range value.
    pub value: u64,
    /// The algorithm.
    pub algorithm: String,
    /// Its time over that of the baseline; `None` for the baseline itself, and if it can't be compared.
    pub judged: Option<Comparison>,
    /// The reason why there is no ratio.
    pub no_ratio: Option<NoRatio>,
    /// Its rank among all algorithms.
    pub rank: Rank,
}

/// The reason why an algorithm can't be compared with the baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoRatio {
    /// It has no times.
    Absent(Absence),
    /// The baseline has none.
    NoBaseline,
    /// One of the two takes less than ten empty calls there.
    TooShort,
    /// They have fewer than two rounds in common.
    OneRound,
}

impl NoRatio {
    /// The gap, if times are missing in some repetitions.
    pub fn gap(&self) -> Option<Gap> {
        match self {
            NoRatio::Absent(Absence::Missing(gap)) => Some(*gap),
            _ => None,
        }
    }

    /// In a few words, for a table.
    pub fn word(&self) -> String {
        match self {
            NoRatio::Absent(absence) => absence.word(),
            NoRatio::NoBaseline => "no baseline".to_owned(),
            NoRatio::TooShort => "too short".to_owned(),
            NoRatio::OneRound => "one round".to_owned(),
        }
    }
}

impl Report {
    /// Compares all algorithms with this one, by the times of a call, or of all together.
    ///
    /// # Errors
    /// If there is no such algorithm, the run has no times, or the measurements can't be read again.
    pub fn baseline(&self, baseline: &str, call: Option<Call>) -> Result<Baseline> {
        self.needs_times()?;
        let algorithms: Vec<&str> = self.algorithms().collect();
        if !algorithms.contains(&baseline) {
            return Err(unknown("algorithm of this run", baseline, algorithms.iter().copied()));
        }
        let null = self.null(call)?;
        let floor = floor(null.as_ref(), call);
        let ranks = self.ranks(call)?;
        let (mut cells, mut differences, mut rounds_of) = (Vec::new(), Vec::new(), Vec::new());
        for (value, ranks) in self.range().into_iter().zip(&ranks) {
            let mut named = algorithms.iter().zip(ranks);
            let has_short = named.any(|(id, rank)| *id == baseline && rank.below_floor);
            let ratios = self.round_ratios(baseline, value, call)?;
            let has_baseline = self.absence(baseline, value, call)?.is_none();
            for ((algorithm, rank), rounds) in algorithms.iter().zip(ranks).zip(ratios) {
                let is_long_enough = !has_short && !rank.below_floor;
                let rounds = rounds.filter(|_| is_long_enough && *algorithm != baseline);
                let values: Vec<f64> = rounds.into_iter().flatten().map(|(_, ratio)| ratio).collect();
                let difference = Difference::paired(&values);
                let no_ratio = match difference {
                    Some(_) => None,
                    None => match self.absence(algorithm, value, call)? {
                        Some(absence) => Some(NoRatio::Absent(absence)),
                        None if *algorithm == baseline => None,
                        None if !has_baseline => Some(NoRatio::NoBaseline),
                        None if !is_long_enough => Some(NoRatio::TooShort),
                        None => Some(NoRatio::OneRound),
                    },
                };
                rounds_of.extend(difference.map(|_| values.len()));
                differences.push(difference);
                let algorithm = (*algorithm).to_owned();
                cells.push(BaselineCell { value, algorithm, judged: None, no_ratio, rank: *rank });
            }
        }
        for (cell, judged) in cells.iter_mut().zip(judge(&differences, floor)) {
            cell.judged = judged;
        }
        let (overall, compared) = self.overall(call, &ranks, floor)?;
        let names = algorithms.into_iter().map(str::to_owned);
        Ok(Baseline {
            cells,
            overall: (names.zip(overall).collect(), compared),
            floor,
            null,
            comparisons: differences.iter().flatten().count(),
            rounds: ends(rounds_of),
        })
    }

    /// The overall ratio of each algorithm over all range values at which these ranks show a best one, and
    /// the number of these range values.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    pub(super) fn overall(
        &self,
        call: Option<Call>,
        ranks: &[Vec<Rank>],
        floor: f64,
    ) -> Result<(Vec<Overall>, usize)> {
        let to_best = self.ratios_to_best(call, ranks)?;
        let compared = to_best.first().map_or(0, Vec::len);
        Ok((overall(&to_best, floor), compared))
    }

    /// The logarithms of the ratios of each algorithm to the best, by round, at each range value at which these
    /// ranks show a best one: `[algorithm][cell]`, `None` where it has no times.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    pub(crate) fn ratios_to_best(
        &self,
        call: Option<Call>,
        ranks: &[Vec<Rank>],
    ) -> Result<Vec<Vec<Option<RoundValues>>>> {
        let algorithms: Vec<&str> = self.algorithms().collect();
        let mut to_best: Vec<Vec<Option<RoundValues>>> = vec![Vec::new(); algorithms.len()];
        for (value, ranks) in self.range().into_iter().zip(ranks) {
            if let Some(best) = ranks.iter().position(Rank::is_compared_with) {
                let ratios = self.round_ratios(algorithms[best], value, call)?;
                to_best.iter_mut().zip(ratios).for_each(|(cells, rounds)| cells.push(rounds));
            }
        }
        Ok(to_best)
    }

    /// Checks that this run has times that can be compared.
    ///
    /// # Errors
    /// If it is instrumented, or a simulation.
    pub(crate) fn needs_times(&self) -> Result<()> {
        let reason = if self.facts.instrumented() {
            "is instrumented, and most of its time is spent on counting"
        } else if !self.facts.has_times() {
            "is a simulation, whose times are no times of this machine"
        } else {
            return Ok(());
        };
        let message = format!("times can't be compared: the run {} {reason}", self.facts.id);
        Err(Error::new(message).remedy("measure with `--stats perf` and without `--simulate`"))
    }

    /// For each algorithm, the logarithms of its time over that of another by round, at a range value; `None`
    /// if one of the two has no times.
    fn round_ratios(&self, other: &str, value: u64, call: Option<Call>) -> Result<Vec<Option<RoundValues>>> {
        let others = self.times(other, value, call)?;
        let mut ratios = Vec::new();
        for algorithm in self.algorithms() {
            let rounds = log_ratios(&self.times(algorithm, value, call)?, &others);
            ratios.push(Some(rounds).filter(|rounds| !rounds.is_empty()));
        }
        Ok(ratios)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::with_columns;
    use super::*;

    /// Three algorithms at two lengths: `b` takes 1.5 times as long as `a` and then half as long, `c` fails
    /// at the second.
    fn report() -> Report {
        let mut rows = String::new();
        for round in 0..5 {
            for (algorithm, length, time) in
                [("a", 4, 1000), ("b", 4, 1500), ("c", 4, 1003), ("a", 8, 2000), ("b", 8, 1000)]
            {
                let time = time + round * time / 1000 * (1 + length % 3);
                rows += &format!("{algorithm},{length},{round},ok,3,10,{time},0,{round}\n");
            }
        }
        rows += "c,8,0,crashed,,,,,0\n";
        with_columns(",round", &rows).unwrap()
    }

    /// The reason why each cell has no ratio, in words; empty if it has one, or is the baseline.
    fn no_ratio_words(cells: &[BaselineCell]) -> Vec<String> {
        cells.iter().map(|cell| cell.no_ratio.as_ref().map_or_else(String::new, NoRatio::word)).collect()
    }

    #[test]
    fn each_algorithm_is_compared_with_the_baseline_and_has_an_overall_rank() {
        let Baseline { cells, overall: (overall, compared), floor, null, comparisons, rounds } =
            report().baseline("a", Some(Call::Search)).unwrap();
        let words: Vec<_> = cells
            .iter()
            .map(|cell| {
                (cell.value, cell.algorithm.as_str(), cell.judged.map(|j| j.word()), cell.rank.is_best())
            })
            .collect();
        let expected = [
            (4, "a", None, true),
            (4, "b", Some("slower"), false),
            (4, "c", Some("same"), true),
            (8, "a", None, false),
            (8, "b", Some("faster"), true),
            (8, "c", None, false),
        ];
        assert_eq!(words, expected);
        assert_eq!((compared, comparisons, floor, null, rounds), (2, 3, 0.01, None, Some((5, 5))));
        assert_eq!(no_ratio_words(&cells), ["", "", "", "", "", "crashed"]);
        let overall_ranks: Vec<_> = overall
            .iter()
            .map(|(id, overall)| (id.as_str(), overall.cells, overall.standing.map(|s| s.rank)))
            .collect();
        assert_eq!(overall_ranks, [("a", 2, Some(2)), ("b", 2, Some(1)), ("c", 1, None)]);
        let ratio = |i: usize| overall[i].1.to_best.unwrap().ratio;
        assert!((ratio(0) - 2.0f64.sqrt()).abs() < 0.01 && (ratio(1) - 1.5f64.sqrt()).abs() < 0.01);
    }

    #[test]
    fn where_the_baseline_has_no_times_no_algorithm_is_compared_with_it() {
        let cells = report().baseline("c", Some(Call::Search)).unwrap().cells;
        assert_eq!(no_ratio_words(&cells), ["", "", "", "no baseline", "no baseline", "crashed"]);
        let rows = "a,4,0,ok,3,1,1000,0,0\na,4,1,ok,3,1,1001,0,1\nb,4,0,ok,3,1,2000,0,0\nb,4,1,ok,3,1,,0,1\n";
        let gap = with_columns(",round", &(rows.to_owned() + "c,4,0,ok,3,1,1500,0,0\n")).unwrap();
        let Baseline { cells, comparisons, .. } = gap.baseline("a", Some(Call::Search)).unwrap();
        assert_eq!(no_ratio_words(&cells), ["", "times missing", "one round"]);
        assert_eq!(comparisons, 0);
    }

    #[test]
    fn what_is_below_the_floor_of_the_clock_is_not_compared() {
        let mut report = report();
        report.facts.noise.floor_ns = Some(150.0);
        let Baseline { cells, overall: (overall, compared), .. } =
            report.baseline("a", Some(Call::Search)).unwrap();
        assert!(cells.iter().all(|cell| cell.judged.is_none()), "{cells:?}");
        assert_eq!(no_ratio_words(&cells)[..3], ["", "too short", "too short"]);
        assert!(compared == 0 && overall.iter().all(|(_, overall)| overall.to_best.is_none()));
    }

    #[test]
    fn only_times_of_this_run_are_compared() {
        let mut report = report();
        let refused = |report: &Report, baseline| report.baseline(baseline, None).unwrap_err().to_string();
        assert!(refused(&report, "d").starts_with("unknown algorithm of this run `d`"));
        report.facts.launcher = vec!["valgrind".to_owned()];
        assert!(refused(&report, "a").contains("is a simulation"));
        report.facts.stats = assay_experiment::definition::Stats::Algo;
        assert!(refused(&report, "a").contains("is instrumented"));
    }
}
