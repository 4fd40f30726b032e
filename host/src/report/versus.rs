//! Saved runs beside each other: each algorithm and range value of a later run over the same of the first.

use super::{Absence, Call, Report};
use crate::comparison::{
    Common, Difference, Judged, OfRounds, Verdict, by_pattern, judge, mean, of_each_round,
};
use crate::error::Result;
use crate::results::null::floor;
use crate::results::repetitions::ends;

/// Runs beside the first of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Versus {
    /// One for each later run.
    pub runs: Vec<Beside>,
    /// The least difference that is one, as a share of the time.
    pub floor: f64,
    /// How many comparisons the significances are corrected for.
    pub comparisons: usize,
}

/// A run beside the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    /// Whether both searched for the same patterns, and so are compared pattern by pattern.
    pub by_pattern: bool,
    /// What both have, by algorithm and range value.
    pub cells: Vec<Line>,
    /// Each algorithm over all its range values, and all algorithms together.
    pub overall: Vec<Line>,
    /// Over how many rounds each cell is compared, at least and at most: those that both runs have, or else those of the later
    /// run, and those of the first.
    pub rounds: Vec<(usize, usize)>,
    /// The rounds of which the overall ones are means, of these sides: the least of them.
    pub common: Vec<Common>,
    /// What only one of them did: an algorithm, a range value, and what is the matter.
    pub lacking: Vec<Lack>,
}

/// A comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The algorithm; `None` is all of them.
    pub algorithm: Option<String>,
    /// The range value; `None` is all of them.
    pub value: Option<u64>,
    /// The time in the later run over that in the first; `None` where a run has less than two rounds.
    pub judged: Option<Judged>,
    /// Whether it is slower by more than what may be.
    pub too_slow: bool,
}

/// What one of two runs lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lack {
    /// The algorithm.
    pub algorithm: String,
    /// The range value.
    pub value: u64,
    /// Why there is nothing to compare.
    pub why: Why,
}

/// Why there is nothing to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The later run did not measure it.
    NotMeasured,
    /// The later run measures it anew.
    New,
    /// It failed in the later run, and not in the first.
    FailsNow,
    /// It failed in the first run.
    FailedBefore,
    /// Its times are missing in some repetitions of the later run, and not in the first.
    MissingNow,
    /// They are missing in some repetitions of the first run.
    MissingBefore,
    /// The rounds of one of the runs were not noted.
    NoRounds,
    /// It takes less than ten empty calls in one of the runs.
    TooShort,
}

impl Why {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Why::NotMeasured => "not measured now",
            Why::New => "not measured before",
            Why::FailsNow => "fails now",
            Why::FailedBefore => "failed before",
            Why::MissingNow => "times missing now",
            Why::MissingBefore => "times missing before",
            Why::NoRounds => "a run did not note its rounds",
            Why::TooShort => "too short to compare",
        }
    }

    /// Whether the later run lost what the first has.
    pub fn is_new_failure(self) -> bool {
        matches!(self, Why::FailsNow | Why::MissingNow)
    }

    /// Of what both runs have, or don't.
    fn of(before: Option<Absence>, now: Option<Absence>) -> Option<Self> {
        use Absence::{Failed, Missing, NoRounds, NotMeasured, Zero};
        Some(match (before, now) {
            (_, Some(NotMeasured)) => Why::NotMeasured,
            (Some(NotMeasured), _) => Why::New,
            (Some(Failed(_)), _) => Why::FailedBefore,
            (_, Some(Failed(_))) => Why::FailsNow,
            (Some(Missing(_)), _) => Why::MissingBefore,
            (_, Some(Missing(_))) => Why::MissingNow,
            (Some(Zero), _) | (_, Some(Zero)) => Why::TooShort,
            (Some(NoRounds), _) | (_, Some(NoRounds)) => Why::NoRounds,
            (None, None) => return None,
        })
    }
}

/// What two runs tell of one algorithm and range value.
enum Rounds {
    /// Of the same patterns: logarithms of ratios.
    Paired(OfRounds),
    /// Of two runs that have nothing in common: logarithms of times, the later one's first.
    Apart(OfRounds, OfRounds),
}

fn values(rounds: &OfRounds) -> Vec<f64> {
    rounds.iter().map(|(_, value)| *value).collect()
}

impl Rounds {
    fn difference(&self) -> Option<Difference> {
        match self {
            Rounds::Paired(rounds) => Difference::paired(&values(rounds)),
            Rounds::Apart(these, others) => Difference::unpaired(&values(these), &values(others)),
        }
    }

    /// Those of the later run, and of the first if it has others; paired ones are of both.
    fn sides(&self) -> [Option<&OfRounds>; 2] {
        match self {
            Rounds::Paired(rounds) => [Some(rounds), None],
            Rounds::Apart(these, others) => [Some(these), Some(others)],
        }
    }

    /// One side of several.
    fn side<'a>(all: &'a [&Rounds], side: usize) -> impl Iterator<Item = &'a OfRounds> + Clone {
        all.iter().filter_map(move |rounds| rounds.sides()[side])
    }

    /// The rounds of several, of each side.
    fn common(all: &[&Rounds]) -> Vec<Common> {
        let of_side = |side| Common::of(Self::side(all, side));
        Self::numbers(all).map(of_side).collect()
    }

    /// The fewest and the most rounds of several, of each side.
    fn counts(all: &[&Rounds]) -> Vec<(usize, usize)> {
        Self::numbers(all).filter_map(|side| ends(Self::side(all, side).map(Vec::len))).collect()
    }

    /// The numbers of their sides.
    fn numbers(all: &[&Rounds]) -> std::ops::Range<usize> {
        0..all.first().map_or(0, |rounds| rounds.sides().into_iter().flatten().count())
    }

    /// The mean of several.
    fn mean(all: &[&Rounds]) -> Option<Difference> {
        let mean = |side| mean(Self::side(all, side));
        match all.first()? {
            Rounds::Paired(_) => Rounds::Paired(mean(0)).difference(),
            Rounds::Apart(..) => Rounds::Apart(mean(0), mean(1)).difference(),
        }
    }
}

/// Whether both runs searched for the same patterns of the same text in as many rounds.
pub fn same_patterns(a: &Report, b: &Report) -> bool {
    let drawn = |report: &Report| {
        let experiment = report.facts.definition.as_ref()?;
        let patterns = (experiment.patterns.given.clone(), experiment.patterns.kind.clone());
        let runs = (experiment.runs, experiment.runs_by.clone(), experiment.rounds().count());
        let varied =
            (experiment.patterns.lengths.clone(), experiment.range.clone(), experiment.sumrange.clone());
        Some((runs, patterns, (varied, experiment.calls.clone()), report.facts.texts()))
    };
    let (first, second) = (drawn(a), drawn(b));
    let given = first.as_ref().is_some_and(|(_, (given, _), ..)| given.is_some());
    first.is_some() && first == second && (given || a.facts.seed == b.facts.seed)
}

/// Compares later runs with the first, by the time of a call or of all together. What is slower by more than `limit`, a share,
/// is too slow.
///
/// # Errors
/// If a run has no times, or its measurements can't be read again.
pub fn versus(first: &Report, later: &[Report], call: Option<Call>, limit: Option<f64>) -> Result<Versus> {
    let mut least = 0.0f64;
    for report in std::iter::once(first).chain(later) {
        report.needs_times()?;
        least = least.max(floor(report.null(call)?.as_ref(), call));
    }
    let (mut runs, mut differences) = (Vec::new(), Vec::new());
    for report in later {
        let (beside, more) = beside(first, report, call)?;
        differences.extend(more);
        runs.push(beside);
    }
    let judged = judge(&differences, least);
    let beyond = judge(&differences, limit.unwrap_or(least).max(least));
    let mut verdicts = judged.into_iter().zip(beyond);
    for line in runs.iter_mut().flat_map(|run| run.cells.iter_mut().chain(&mut run.overall)) {
        let (judged, beyond) = verdicts.next().expect("there is one for each");
        line.judged = judged;
        line.too_slow = beyond.is_some_and(|beyond| beyond.verdict == Verdict::Slower);
    }
    Ok(Versus { runs, floor: least, comparisons: differences.iter().flatten().count() })
}

/// What two runs have in common, with a difference for each line that is yet to be judged.
fn beside(first: &Report, later: &Report, call: Option<Call>) -> Result<(Beside, Vec<Option<Difference>>)> {
    let paired = same_patterns(first, later);
    let (mut cells, mut lacking) = (Vec::new(), Vec::new());
    let mut rounds: Vec<(String, u64, Rounds)> = Vec::new();
    for (algorithm, value) in all(first, later) {
        let times = |report: &Report| report.times(&algorithm, value, call);
        let (before, now) = (times(first)?, times(later)?);
        let absence = |report: &Report| report.absence(&algorithm, value, call);
        let too_short = first.too_short(&before, call) || later.too_short(&now, call);
        let why = match before.is_empty() || now.is_empty() {
            true => Why::of(absence(first)?, absence(later)?),
            false => too_short.then_some(Why::TooShort),
        };
        if let Some(why) = why {
            lacking.push(Lack { algorithm, value, why });
            continue;
        }
        rounds.push((
            algorithm,
            value,
            match paired {
                true => Rounds::Paired(by_pattern(&now, &before)),
                false => Rounds::Apart(of_each_round(&now), of_each_round(&before)),
            },
        ));
    }
    let mut differences = Vec::new();
    let mut line = |algorithm: Option<&str>, value, difference| {
        differences.push(difference);
        Line { algorithm: algorithm.map(str::to_owned), value, judged: None, too_slow: false }
    };
    for (algorithm, value, rounds) in &rounds {
        cells.push(line(Some(algorithm), Some(*value), rounds.difference()));
    }
    let algorithms: Vec<&[_]> = rounds.chunk_by(|a, b| a.0 == b.0).collect();
    let several = algorithms.iter().filter(|rounds| rounds.len() > 1);
    let mut groups: Vec<(Option<&str>, Vec<&Rounds>)> =
        several.map(|rounds| (Some(rounds[0].0.as_str()), of(rounds))).collect();
    groups.extend((algorithms.len() > 1).then(|| (None, of(&rounds))));
    let overall = groups.iter().map(|(algorithm, all)| line(*algorithm, None, Rounds::mean(all))).collect();
    let least = |these: Vec<Common>, others: Vec<Common>| {
        these.into_iter().zip(others).map(|(these, others)| these.least(others)).collect()
    };
    let common = groups.iter().map(|(_, all)| Rounds::common(all)).reduce(least).unwrap_or_default();
    let counts = Rounds::counts(&of(&rounds));
    Ok((Beside { by_pattern: paired, cells, overall, rounds: counts, common, lacking }, differences))
}

/// The rounds of some cells.
fn of(cells: &[(String, u64, Rounds)]) -> Vec<&Rounds> {
    cells.iter().map(|(_, _, rounds)| rounds).collect()
}

/// The algorithms and range values of two reports, in the order of the first.
fn all(first: &Report, later: &Report) -> Vec<(String, u64)> {
    let of = |report: &Report| -> Vec<(String, u64)> {
        let values =
            |id: &str| report.fulldata(id).into_iter().flat_map(|full| full.range()).collect::<Vec<_>>();
        report
            .algorithms()
            .flat_map(|id| values(id).into_iter().map(|value| (id.to_owned(), value)))
            .collect()
    };
    let mut all = of(first);
    let more: Vec<_> = of(later).into_iter().filter(|cell| !all.contains(cell)).collect();
    all.extend(more);
    let order: Vec<&str> = first.algorithms().chain(later.algorithms()).collect();
    all.sort_by_cached_key(|(id, value)| (order.iter().position(|other| other == id), *value));
    all
}

#[cfg(test)]
mod tests {
    use super::super::tests::with_columns;
    use super::*;

    /// A run of five rounds of `a` and `b` at two lengths, `a` so many times slower than ever, with a seed.
    fn report(slower: f64, seed: u64, failed: &str) -> Report {
        let mut rows = String::new();
        for round in 0..5u32 {
            for (algorithm, length, time) in
                [("a", 4, 10_000.0 * slower), ("a", 8, 20_000.0 * slower), ("b", 4, 5000.0), ("b", 8, 9000.0)]
            {
                if failed != format!("{algorithm}{length}") {
                    // Rounds differ by 1 %, patterns by nothing.
                    let time = time * (1.0 + 0.01 * f64::from((round * 7 + length) % 3));
                    rows += &format!("{algorithm},{length},{round},ok,3,10,{time},0,{round}\n");
                } else if round == 0 {
                    rows += &format!("{algorithm},{length},0,crashed,,,,,0\n");
                }
            }
        }
        let mut report = with_columns(",round", &rows).unwrap();
        report.facts.seed = seed;
        report
    }

    fn words(lines: &[Line]) -> Vec<String> {
        let word = |line: &Line| {
            let (id, value) = (line.algorithm.as_deref().unwrap_or("all"), line.value.unwrap_or_default());
            format!("{id} {value} {}", line.judged.map_or("-", |judged| judged.word()))
        };
        lines.iter().map(word).collect()
    }

    #[test]
    fn runs_of_the_same_patterns_are_paired_and_others_are_not() {
        let first = report(1.0, 1, "");
        for (seed, paired) in [(1, true), (2, false)] {
            let Versus { runs, comparisons, floor } =
                versus(&first, &[report(1.5, seed, "")], Some(Call::Search), None).unwrap();
            let Beside { by_pattern, cells, overall, rounds, common, lacking } = &runs[0];
            let sides = if paired { 1 } else { 2 };
            assert_eq!(*common, vec![Common { rounds: 5, of: 5 }; sides]);
            assert_eq!(*rounds, vec![(5, 5); sides]);
            assert_eq!((*by_pattern, comparisons, floor, lacking.len()), (paired, 7, 0.01, 0));
            assert_eq!(words(cells), ["a 4 slower", "a 8 slower", "b 4 same", "b 8 same"]);
            assert_eq!(words(overall), ["a 0 slower", "b 0 same", "all 0 slower"]);
            let ratio = overall[2].judged.unwrap().ratio.ratio;
            assert!((ratio - 1.5f64.sqrt()).abs() < 0.01, "{ratio}");
        }
    }

    #[test]
    fn too_slow_is_what_is_slower_than_the_limit_beyond_noise() {
        let slow = |slower, limit| {
            let found = versus(&report(1.0, 1, ""), &[report(slower, 2, "")], None, Some(limit)).unwrap();
            found.runs[0].cells.iter().filter(|line| line.too_slow).count()
        };
        assert_eq!(slow(1.5, 0.05), 2);
        assert_eq!(slow(1.5, 0.6), 0, "slower, but not by so much");
        assert_eq!(slow(1.055, 0.05), 0, "the interval reaches below the limit");
        assert_eq!(slow(0.5, 0.05), 0);
    }

    #[test]
    fn what_only_one_run_has_is_told() {
        let lacks = |first: &Report, later: Report| -> Vec<(String, u64, Why)> {
            let found = versus(first, &[later], Some(Call::Search), None).unwrap();
            found.runs[0].lacking.iter().map(|lack| (lack.algorithm.clone(), lack.value, lack.why)).collect()
        };
        let (all, less) = (report(1.0, 1, ""), report(1.0, 1, "b8"));
        assert_eq!(lacks(&all, less.clone()), [("b".to_owned(), 8, Why::FailsNow)]);
        assert_eq!(lacks(&less, all.clone()), [("b".to_owned(), 8, Why::FailedBefore)]);
        let only = with_columns(",round", "a,4,0,ok,3,10,9999,0,0\nc,4,0,ok,3,10,9999,0,0\n").unwrap();
        let told = lacks(&all, only);
        assert!(told.contains(&("b".to_owned(), 4, Why::NotMeasured)), "{told:?}");
        assert!(told.contains(&("c".to_owned(), 4, Why::New)), "{told:?}");
        let mut slow_clock = all.clone();
        slow_clock.facts.noise.floor_ns = Some(700.0);
        let told = lacks(&all, slow_clock);
        assert_eq!(told, [("b".to_owned(), 4, Why::TooShort)]);
    }

    #[test]
    fn one_round_tells_nothing() {
        let one = with_columns(",round", "a,4,0,ok,3,10,9999,0,0\n").unwrap();
        let found = versus(&one, std::slice::from_ref(&one), Some(Call::Search), Some(0.05)).unwrap();
        assert_eq!((words(&found.runs[0].cells), found.comparisons), (vec!["a 4 -".to_owned()], 0));
    }
}
