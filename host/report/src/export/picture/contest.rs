//! The contest of algorithms: the best ones at each range value, in one run or in several on different texts
//! or machines. Maps and profiles are drawn from it.

use std::collections::BTreeSet;

use assay_base::columns::Call;
use assay_base::error::{Error, Result};
use assay_store::null::floor;

use crate::{RangeAxis, Report, Undecided};

/// The ranks of the algorithms of some runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Contest {
    /// The time by which they are compared: `search time`.
    pub time: String,
    /// What varies from column to column.
    pub axis: RangeAxis,
    /// The ids of the algorithms of all runs.
    pub algorithms: Vec<String>,
    /// The texts, ordered by the size of their alphabets.
    pub texts: Vec<ContestText>,
}

/// A text, and the best algorithms on it.
#[derive(Clone, Debug, PartialEq)]
pub struct ContestText {
    /// Its name.
    pub name: String,
    /// The CPU, if the runs are of several.
    pub cpu: Option<String>,
    /// The number of different bytes; `None` if the run has several texts.
    pub alphabet: Option<usize>,
    /// The numbers of the algorithms that were measured on it.
    pub present: Vec<usize>,
    /// The cells, ascending by value of the range.
    pub cells: Vec<ContestCell>,
    /// The algorithms that may be among the best as well, and the rounds that would decide it.
    pub undecided: Option<Undecided>,
}

/// The algorithms at one value of the range on one text.
#[derive(Clone, Debug, PartialEq)]
pub struct ContestCell {
    /// The value: the pattern length in bytes, unless something else varies.
    pub value: u64,
    /// The ratio of the time of each algorithm to that of the best one, for the same pattern; `None` if it
    /// has no time, or was not measured.
    pub ratios: Vec<Option<f64>>,
    /// The numbers of the algorithms that are best or tied with the best; empty if that is not known.
    pub best: Vec<usize>,
}

impl Contest {
    /// The contest in some runs, by the time of one call or of all calls.
    ///
    /// # Errors
    /// If the measurements of one can't be read again.
    pub fn new(reports: &[Report], call: Option<Call>) -> Result<Self> {
        let other = reports.iter().find(|report| report.facts.over() != reports[0].facts.over());
        if let Some(other) = other {
            return Err(Error::new(format!(
                "one run varies the {}, and {} the {}",
                reports[0].facts.over().words(),
                other.facts.id,
                other.facts.over().words()
            ))
            .remedy("draw runs together that vary the same"));
        }
        let mut algorithms: Vec<String> = Vec::new();
        for algorithm in reports.iter().flat_map(Report::algorithms) {
            if !algorithms.iter().any(|known| known == algorithm) {
                algorithms.push(algorithm.to_owned());
            }
        }
        let mut texts = Vec::new();
        for report in reports {
            texts.push(ContestText::new(report, &algorithms, call)?);
        }
        // Files that share a name have their paths, which differ.
        let names: Vec<String> = texts.iter().map(|text| text.name.clone()).collect();
        for (text, report) in texts.iter_mut().zip(reports) {
            let path = report.facts.texts_in_words();
            let is_another = |(name, other): (&String, &Report)| {
                *name == text.name && other.facts.texts_in_words() != path
            };
            if names.iter().zip(reports).any(is_another) {
                text.name = path;
            }
        }
        let cpus: BTreeSet<Option<&str>> =
            reports.iter().map(|report| report.facts.machine.cpu.as_deref()).collect();
        if cpus.len() > 1 {
            for (text, report) in texts.iter_mut().zip(reports) {
                text.cpu = Some(report.facts.machine.cpu.clone().unwrap_or_else(|| "unknown CPU".to_owned()));
            }
        }
        texts.sort_by(|a, b| (a.alphabet, &a.name, &a.cpu).cmp(&(b.alphabet, &b.name, &b.cpu)));
        let time = reports.first().map(|report| time_name(report, call)).unwrap_or_default();
        let axis = reports.first().map(|report| RangeAxis::new(&report.facts)).unwrap_or_default();
        Ok(Contest { time, axis, algorithms, texts })
    }

    /// The values of the range on any text, ascending.
    pub fn values(&self) -> Vec<u64> {
        let mut values: Vec<u64> = self.cells().map(|cell| cell.value).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// All values of the range on all texts.
    pub fn cells(&self) -> impl Iterator<Item = &ContestCell> {
        self.texts.iter().flat_map(|text| &text.cells)
    }

    /// The most algorithms that may be among the best of a text as well, with the rounds that would decide it.
    pub fn undecided(&self) -> Option<&Undecided> {
        self.texts.iter().filter_map(|text| text.undecided.as_ref()).max_by_key(|text| text.algorithms)
    }

    /// Whether any cell has an algorithm that is known to be the best.
    pub fn has_best(&self) -> bool {
        self.cells().any(|cell| !cell.best.is_empty())
    }
}

/// What the time of a call, or of all calls, is called: "search time".
pub(super) fn time_name(report: &Report, call: Option<Call>) -> String {
    match (call, report.selected_call(call)) {
        (_, Some(selected)) => format!("{selected} time"),
        (None, None) => "preparation and search time".to_owned(),
        (Some(Call::Prepare), None) => "preparation time".to_owned(),
        (Some(Call::Search), None) => "search time".to_owned(),
    }
}

impl ContestText {
    /// The contest on the text of a run, among these algorithms.
    fn new(report: &Report, algorithms: &[String], call: Option<Call>) -> Result<Self> {
        let present: Vec<usize> = report
            .algorithms()
            .map(|id| algorithms.iter().position(|known| known == id).expect("all were gathered"))
            .collect();
        let all_ranks = report.ranks(call)?;
        let floor = floor(report.null(call)?.as_ref(), call);
        let mut cells: Vec<ContestCell> = Vec::new();
        for (value, ranks) in report.range().into_iter().zip(&all_ranks) {
            let mut cell = ContestCell { value, ratios: vec![None; algorithms.len()], best: Vec::new() };
            for (&number, rank) in present.iter().zip(ranks) {
                // The best has the least time, so a ratio below 1 comes from its interval.
                cell.ratios[number] = rank.standing.map(|standing| standing.to_best.ratio.max(1.0));
                cell.best.extend(rank.is_best().then_some(number));
            }
            cells.push(cell);
        }
        let mut rounds = Vec::new();
        for cell in &cells {
            let Some(best) = cell.best.first() else { continue };
            let times = report.times(&algorithms[*best], cell.value, call)?;
            rounds.push(times.iter().map(|sample| sample.round).collect::<BTreeSet<_>>().len());
        }
        let fewest = rounds.into_iter().min().unwrap_or_default();
        let undecided = Undecided::new(&all_ranks, fewest, floor);
        let alphabet = report.facts.has_one_text().then_some(report.facts.text.alphabet);
        Ok(ContestText { name: report.facts.texts_by_name(), cpu: None, alphabet, present, cells, undecided })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::tests::with_columns;

    /// `a` and `b` are tied, and `c` takes 1.5 times as long and is alone at 8. At 16, there is one round,
    /// which shows no best.
    pub(crate) fn example() -> Contest {
        let mut rows = String::new();
        for round in 0..5 {
            for (algorithm, search) in [("a", 1000 + round), ("b", 1002 - round), ("c", 1500)] {
                rows += &format!("{algorithm},4,{round},ok,3,1,{search},0,{round}\n");
            }
            rows += &format!("c,8,{round},ok,3,1,1500,0,{round}\n");
        }
        rows += "a,16,0,ok,3,1,1500,0,0\nb,16,0,ok,3,1,1500,0,0\n";
        Contest::new(&[with_columns(",round", &rows).unwrap()], Some(Call::Search)).unwrap()
    }

    #[test]
    fn texts_have_the_names_of_their_files_unless_two_have_the_same() {
        let report = |path: &str| {
            let mut report = with_columns(",round", "a,4,0,ok,3,1,1500,0,0\n").unwrap();
            report.facts.text.sources = vec![path.to_owned()];
            report
        };
        let names = |paths: [&str; 2]| -> Vec<String> {
            let contest = Contest::new(&paths.map(report), None).unwrap();
            contest.texts.into_iter().map(|text| text.name).collect()
        };
        assert_eq!(names(["x/a.txt", "x/b.txt"]), ["a.txt", "b.txt"]);
        assert_eq!(names(["x/a.txt", "y/a.txt"]), ["x/a.txt", "y/a.txt"]);
        assert_eq!(names(["x/a.txt", "x/a.txt"]), ["a.txt", "a.txt"], "two runs on one text");
    }

    /// In two rounds, `b` takes as long as `a` once and three times as long once.
    pub(crate) fn undecided() -> Contest {
        let rows =
            "a,4,0,ok,3,1,1000,0,0\na,4,1,ok,3,1,1001,0,1\nb,4,0,ok,3,1,1002,0,0\nb,4,1,ok,3,1,3000,0,1\n";
        Contest::new(&[with_columns(",round", rows).unwrap()], Some(Call::Search)).unwrap()
    }

    #[test]
    fn an_algorithm_that_may_be_as_fast_as_the_best_is_undecided_and_not_among_them() {
        assert_eq!(example().undecided(), None);
        let contest = undecided();
        assert_eq!(contest.texts[0].cells[0].best, [0]);
        let found = contest.undecided().unwrap();
        assert_eq!((found.algorithms, found.rounds), (1, 2));
        assert!(found.needed.unwrap() > 2, "{found:?}");
    }

    #[test]
    fn the_best_are_a_set_which_is_empty_where_none_is_known() {
        let contest = example();
        assert_eq!(contest.values(), [4, 8, 16]);
        let best: Vec<&[usize]> = contest.cells().map(|cell| cell.best.as_slice()).collect();
        assert_eq!(best, [&[0, 1][..], &[2], &[]]);
        let slow = contest.texts[0].cells[0].ratios[2].unwrap();
        assert!((slow - 1.5).abs() < 0.01, "{slow}");
        assert_eq!(contest.texts[0].cells[1].ratios[..2], [None, None]);
    }
}
