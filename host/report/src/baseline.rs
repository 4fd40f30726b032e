//! All algorithms of a run beside one of them, the baseline: pattern by pattern at each range value, and over
//! all of them.

use assay_base::error::{Error, Result, unknown};
use assay_stats::RoundValues;
use assay_stats::rounds::log_ratios;
use assay_stats::significance::{Comparison, Difference, Overall, judge, overall};
use assay_store::Null;
use assay_store::null::floor;
use assay_store::rank::Rank;
use assay_store::repetitions::ends;

use super::{Absence, Call, Gap, Report};

/// All algorithms of a run beside one of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Baseline {
    /// One for each range value and algorithm, in this order; the baseline is among them.
    pub cells: Vec<BaselineCell>,
    /// How each algorithm does over all range values that could be compared, and how many these are.
    pub overall: (Vec<(String, Overall)>, usize),
    /// The least difference that is one, as a share of the time.
    pub floor: f64,
    /// What the algorithms tell of it that were measured more than once.
    pub null: Option<Null>,
    /// How many comparisons the significances are corrected for.
    pub comparisons: usize,
    /// Over how many rounds each of them is, at least and at most; `None` if there are none.
    pub rounds: Option<(usize, usize)>,
}

/// An algorithm at a range value beside the baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct BaselineCell {
    /// The range value.
    pub value: u64,
    /// The algorithm.
    pub algorithm: String,
    /// Its time over that of the baseline; `None` for the baseline itself, and where nothing can be compared.
    pub judged: Option<Comparison>,
    /// Why there is no ratio.
    pub no_ratio: Option<NoRatio>,
    /// Where it stands among all.
    pub rank: Rank,
}

/// Why an algorithm can't be compared with the baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoRatio {
    /// It has no times.
    Absent(Absence),
    /// The baseline has none.
    NoBaseline,
    /// One of the two takes less than ten empty calls there.
    TooShort,
    /// They have less than two rounds in common.
    OneRound,
}

impl NoRatio {
    /// Where times are missing in some repetitions: how many.
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
    /// All algorithms beside this one, by the time of a call, or of all together.
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
            let beside = self.beside(baseline, value, call)?;
            let has_baseline = self.absence(baseline, value, call)?.is_none();
            for ((algorithm, rank), rounds) in algorithms.iter().zip(ranks).zip(beside) {
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

    /// How each algorithm does over all range values at which one is known to be the best, by these ranks,
    /// and how many these are.
    ///
    /// # Errors
    /// If the measurements can't be read again.
    pub(super) fn overall(
        &self,
        call: Option<Call>,
        ranks: &[Vec<Rank>],
        floor: f64,
    ) -> Result<(Vec<Overall>, usize)> {
        let algorithms: Vec<&str> = self.algorithms().collect();
        // [algorithm][cell]
        let mut to_best: Vec<Vec<Option<RoundValues>>> = vec![Vec::new(); algorithms.len()];
        for (value, ranks) in self.range().into_iter().zip(ranks) {
            if let Some(best) = ranks.iter().position(Rank::is_compared_with) {
                let beside = self.beside(algorithms[best], value, call)?;
                to_best.iter_mut().zip(beside).for_each(|(cells, rounds)| cells.push(rounds));
            }
        }
        let compared = to_best.first().map_or(0, Vec::len);
        Ok((overall(&to_best, floor), compared))
    }

    /// That this run has times which can be compared.
    ///
    /// # Errors
    /// If it is instrumented, or a simulation.
    pub(crate) fn needs_times(&self) -> Result<()> {
        let why = if self.facts.instrumented() {
            "is instrumented, and most of its time is spent on counting"
        } else if !self.facts.has_times() {
            "is a simulation, whose times are no times of this machine"
        } else {
            return Ok(());
        };
        let of = format!("times can't be compared: the run {} {why}", self.facts.id);
        Err(Error::new(of).remedy("measure with `--stats perf` and without `--simulate`"))
    }

    /// For each algorithm what the rounds tell of its time over that of another at a range value; `None` of
    /// one without times.
    fn beside(&self, other: &str, value: u64, call: Option<Call>) -> Result<Vec<Option<RoundValues>>> {
        let others = self.times(other, value, call)?;
        let beside = |algorithm: &str| {
            let rounds = log_ratios(&self.times(algorithm, value, call)?, &others);
            Ok(Some(rounds).filter(|rounds| !rounds.is_empty()))
        };
        self.algorithms().map(beside).collect()
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

    #[test]
    fn each_algorithm_stands_beside_the_baseline_and_has_an_overall_rank() {
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
        let no_ratio: Vec<_> = cells.iter().map(|cell| cell.no_ratio.as_ref().map(NoRatio::word)).collect();
        assert_eq!(no_ratio, [None, None, None, None, None, Some("crashed".to_owned())]);
        let overall_ranks: Vec<_> = overall
            .iter()
            .map(|(id, overall)| (id.as_str(), overall.cells, overall.standing.map(|s| s.rank)))
            .collect();
        assert_eq!(overall_ranks, [("a", 2, Some(2)), ("b", 2, Some(1)), ("c", 1, None)]);
        let ratio = |i: usize| overall[i].1.to_best.unwrap().ratio;
        assert!((ratio(0) - 2.0f64.sqrt()).abs() < 0.01 && (ratio(1) - 1.5f64.sqrt()).abs() < 0.01);
    }

    #[test]
    fn where_the_baseline_has_no_times_nobody_is_beside_it() {
        let words_beside = |baseline| {
            let cells = report().baseline(baseline, Some(Call::Search)).unwrap().cells;
            let word = |cell: &BaselineCell| cell.no_ratio.as_ref().map_or_else(String::new, NoRatio::word);
            cells.iter().map(word).collect::<Vec<_>>()
        };
        assert_eq!(words_beside("c"), ["", "", "", "no baseline", "no baseline", "crashed"]);
        let rows = "a,4,0,ok,3,1,1000,0,0\na,4,1,ok,3,1,1001,0,1\nb,4,0,ok,3,1,2000,0,0\nb,4,1,ok,3,1,,0,1\n";
        let gap = with_columns(",round", &(rows.to_owned() + "c,4,0,ok,3,1,1500,0,0\n")).unwrap();
        let Baseline { cells, comparisons, .. } = gap.baseline("a", Some(Call::Search)).unwrap();
        let word = |cell: &BaselineCell| cell.no_ratio.as_ref().map_or_else(String::new, NoRatio::word);
        assert_eq!(cells.iter().map(word).collect::<Vec<_>>(), ["", "times missing", "one round"]);
        assert_eq!(comparisons, 0);
    }

    #[test]
    fn what_is_below_the_floor_of_the_clock_is_not_compared() {
        let mut report = report();
        report.facts.noise.floor_ns = Some(150.0);
        let Baseline { cells, overall: (overall, compared), .. } =
            report.baseline("a", Some(Call::Search)).unwrap();
        assert!(cells.iter().all(|cell| cell.judged.is_none()), "{cells:?}");
        let no_ratio: Vec<_> = cells.iter().map(|cell| cell.no_ratio.as_ref().map(NoRatio::word)).collect();
        assert_eq!(no_ratio[..3], [None, Some("too short".to_owned()), Some("too short".to_owned())]);
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
