//! The sources of the variance of a run's times, and the disturbances that these times show.

use assay_base::error::Result;
use assay_experiment::pattern_spec::PatternSpec;
use assay_experiment::selection::original;
use assay_stats::course::{
    Course, Disturbance, can_show_drift, can_show_slow_first, disturbances, shared_rounds,
};
use assay_stats::disturbance::FEWEST_ROUNDS;
use assay_stats::{Companion, Components, Sample};

use super::{Call, Report};
use crate::RangeAxis;

/// The sources of the variance of a run's times.
#[derive(Clone, Debug, PartialEq)]
pub struct Variance {
    /// The parts of the variance of each cell that has enough times.
    pub cells: Vec<VarianceParts>,
    /// The other cells, with the reason.
    pub without: Vec<NoVariance>,
    /// The disturbances that were found, a sentence for each kind.
    pub disturbances: Vec<String>,
    /// The kinds of disturbances that were looked for.
    pub looked_for: Vec<&'static str>,
    /// The kinds that this number of rounds or repetitions can't show, with the number that each needs, a
    /// sentence each.
    pub not_looked_for: Vec<String>,
    /// Whether each repetition had a pattern of its own.
    pub own_patterns: bool,
    /// Whether all repetitions searched for the same pattern, so that patterns have no part.
    pub one_pattern: bool,
}

/// The parts of the variance of one algorithm at one range value.
#[derive(Clone, Debug, PartialEq)]
pub struct VarianceParts {
    /// The range value.
    pub value: u64,
    /// The algorithm.
    pub algorithm: String,
    /// The variance of each source.
    pub components: Components,
}

/// An algorithm at a range value whose variance can't be split into parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoVariance {
    /// The range value.
    pub value: u64,
    /// The algorithm.
    pub algorithm: String,
    /// The reason.
    pub why: String,
}

/// Outliers are reported from this share of the repetitions on. The share is chosen, because fewer outliers
/// hardly move even a quartile.
const OUTLIERS: f64 = 0.01;

impl Report {
    /// The variance of the times of a call, or of all together.
    ///
    /// # Errors
    /// If the run has no times, or the measurements can't be read again.
    pub fn variance(&self, call: Option<Call>) -> Result<Variance> {
        self.needs_times()?;
        let algorithms: Vec<&str> = self.algorithms().collect();
        // What all algorithms of the run share is seen better with those that are not shown.
        let whole = self.whole();
        let all: Vec<&str> = whole.algorithms().collect();
        let mut courses = vec![Course::default(); algorithms.len()];
        let (mut cells, mut without) = (Vec::new(), Vec::new());
        for value in self.range() {
            for (algorithm, course) in algorithms.iter().zip(&mut courses) {
                let mut times = self.times(algorithm, value, call)?;
                let too_short = self.too_short(&times, call);
                if too_short {
                    times.clear();
                }
                course.add(&times);
                // The first companion that has times here.
                let mut other = (Vec::new(), false);
                for (id, is_copy) in companions(algorithm, &all) {
                    if other.0.is_empty() {
                        other = (whole.times(id, value, call)?, is_copy);
                    }
                }
                let companion = match &other {
                    (times, _) if times.is_empty() => None,
                    (times, true) => Some(Companion::Copy(times)),
                    (times, false) => Some(Companion::Other(times)),
                };
                match Components::estimate(&times, companion) {
                    Some(components) => {
                        cells.push(VarianceParts { value, algorithm: (*algorithm).to_owned(), components });
                    }
                    None => {
                        let why = match self.absence(algorithm, value, call)? {
                            Some(absence) => absence.word(),
                            None if too_short => "less than ten empty calls".to_owned(),
                            None => why_no_parts(&times).to_owned(),
                        };
                        without.push(NoVariance { value, why, algorithm: (*algorithm).to_owned() });
                    }
                }
            }
        }
        let patterns = self.facts.definition.as_ref().map(|experiment| &experiment.patterns);
        let mut disturbances = sentences(&disturbances(&courses), &algorithms);
        disturbances.extend(outliers(&cells, &RangeAxis::new(&self.facts)));
        let (looked_for, not_looked_for) = kinds(&courses, !cells.is_empty());
        Ok(Variance {
            cells,
            without,
            disturbances,
            looked_for,
            not_looked_for,
            one_pattern: patterns.is_some_and(PatternSpec::is_one),
            own_patterns: patterns.is_none_or(PatternSpec::are_drawn),
        })
    }
}

/// The reason why the variance of these times can't be split into parts.
fn why_no_parts(times: &[Sample]) -> &'static str {
    match times.first() {
        Some(first) if times.iter().all(|sample| sample.round == first.round) => {
            "one round, and two are needed"
        }
        _ => "one repetition a round, and two are needed",
    }
}

/// Algorithms to compare with, to separate an algorithm's own variance from the machine's: its copies
/// (`true`) first, then all others (`false`).
fn companions<'a>(algorithm: &str, all: &[&'a str]) -> impl Iterator<Item = (&'a str, bool)> {
    let others = all.iter().copied().filter(move |other| *other != algorithm);
    let others = others.map(move |other| (other, original(other) == original(algorithm)));
    others.clone().filter(|(_, is_copy)| *is_copy).chain(others.filter(|(_, is_copy)| !is_copy))
}

/// The kinds of disturbances that can be found, and those that can't, with what they need.
fn kinds(courses: &[Course], has_parts: bool) -> (Vec<&'static str>, Vec<String>) {
    let rounds = shared_rounds(courses).len();
    let firsts = courses.iter().map(Course::first_repetitions).max().unwrap_or_default();
    let kinds = [
        (
            can_show_drift(courses),
            vec!["drift", "two modes"],
            format!("{FEWEST_ROUNDS} rounds (all have {rounds})"),
        ),
        (
            can_show_slow_first(courses),
            vec!["slow first repetition"],
            format!("{FEWEST_ROUNDS} rounds of two repetitions or more, over all values ({firsts} at most)"),
        ),
        (has_parts, vec!["outliers"], "two rounds with two repetitions or more".to_owned()),
    ];
    let (mut looked_for, mut not_looked_for) = (Vec::new(), Vec::new());
    for (can_be_shown, names, needs) in kinds {
        if can_be_shown {
            looked_for.extend(names);
        } else {
            not_looked_for.push(format!("{}: needs {needs}", names.join(", ")));
        }
    }
    (looked_for, not_looked_for)
}

/// A sentence for each kind of disturbance. It names all algorithms that show it, the greatest effect first.
fn sentences(disturbances: &[Disturbance], algorithms: &[&str]) -> Vec<String> {
    let (mut drift, mut modes, mut first) = (None, Vec::new(), Vec::new());
    for disturbance in disturbances {
        match *disturbance {
            Disturbance::Drift(share) => drift = Some(share),
            Disturbance::TwoModes(number, apart) => modes.push((apart, algorithms[number])),
            Disturbance::SlowFirst(number, share) => first.push((share, algorithms[number])),
        }
    }
    let drift = drift.map(|share| {
        format!(
            "drift: everything takes {} {} time in the last round than in the first; ratios within a run don't \
             suffer from it, those of two runs do",
            percent(share),
            if share > 0.0 { "more" } else { "less" }
        )
    });
    let modes = (!modes.is_empty()).then(|| {
        format!(
            "two modes: the rounds of an algorithm form two groups, this far apart: {}; by where things lie in memory, \
             or by other programs on the same core; more --rounds average it",
            with_shares(modes)
        )
    });
    let first = (!first.is_empty()).then(|| {
        format!(
            "slow first repetition: the first of a round takes this much longer than the others: {}; measure with a \
             greater --warmup",
            with_shares(first)
        )
    });
    drift.into_iter().chain(modes).chain(first).collect()
}

/// "hor 12 %, bm 9 %", the greatest share first.
fn with_shares(mut shares: Vec<(f64, &str)>) -> String {
    shares.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let named: Vec<String> = shares.iter().map(|(share, id)| format!("{id} {}", percent(*share))).collect();
    named.join(", ")
}

/// "12 %", without the sign.
fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share.abs())
}

/// The sentence on outliers, if there are enough of them.
fn outliers(cells: &[VarianceParts], axis: &RangeAxis) -> Option<String> {
    let all: f64 = cells.iter().map(|cell| cell.components.rounds as f64 * cell.components.repetitions).sum();
    let out: usize = cells.iter().map(|cell| cell.components.outliers).sum();
    let most = cells.iter().max_by_key(|cell| cell.components.outliers)?;
    let share = out as f64 / all;
    (share >= OUTLIERS).then(|| {
        format!(
            "outliers: {:.1} % of the repetitions are outliers of their round; the cell with most of them ({}) is {} at {}. \
             They hardly change a median",
            100.0 * share,
            most.components.outliers,
            most.algorithm,
            axis.at(most.value)
        )
    })
}

#[cfg(test)]
mod tests {
    use assay_stats::simulated::{DRIFTING, SimulatedMachine};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::super::tests::with_columns;
    use super::*;

    /// A report on the times of a simulated machine, changed before they are written.
    fn report(machine: SimulatedMachine, ids: [&str; 3], change: impl Fn(usize, &Sample) -> f64) -> Report {
        let mut rng = ChaCha8Rng::seed_from_u64(30);
        let lists = machine.run(&[100.0, 100.0, 150.0], &mut rng);
        let mut rows = String::new();
        for (i, (id, list)) in ids.iter().zip(lists).enumerate() {
            for sample in list {
                let time = (sample.time * change(i, &sample)).round();
                rows += &format!("{id},8,{},ok,3,10,{time},0,{}\n", sample.repetition, sample.round);
            }
        }
        with_columns(",round", &rows).unwrap()
    }

    const QUIET: SimulatedMachine =
        SimulatedMachine { drift: 0.0, placement: 0.002, pattern: 0.02, noise: 0.02, tail: 0.0, ..DRIFTING };

    fn disturbance_names(report: &Report) -> Vec<String> {
        let Variance { disturbances, .. } = report.variance(Some(Call::Search)).unwrap();
        disturbances.iter().map(|line| line.split(':').next().unwrap().to_owned()).collect()
    }

    #[test]
    fn an_algorithm_that_was_measured_twice_has_all_parts_and_others_have_two() {
        let report = report(DRIFTING, ["a", "a@2", "b"], |_, _| 1.0);
        let Variance { cells, one_pattern, .. } = report.variance(Some(Call::Search)).unwrap();
        let parts: Vec<_> = cells
            .iter()
            .map(|cell| {
                let parts = &cell.components;
                (cell.algorithm.as_str(), parts.pattern.is_some(), parts.moment.is_some())
            })
            .collect();
        assert_eq!(parts, [("a", true, true), ("a@2", true, true), ("b", false, true)]);
        assert!(!one_pattern);
        // Patterns differ by 30 %, and repetitions by little more than 2 %.
        let parts = &cells[0].components;
        assert!(parts.pattern.unwrap() > 10.0 * parts.repetition().unwrap(), "{parts:?}");
        assert!(parts.moment.unwrap() > 10.0 * parts.process().unwrap(), "the drift: {parts:?}");
    }

    #[test]
    fn each_disturbance_is_called_by_its_name_and_quiet_is_not() {
        let ids = ["a", "b", "c"];
        assert_eq!(disturbance_names(&report(QUIET, ids, |_, _| 1.0)), [] as [&str; 0]);
        assert_eq!(
            disturbance_names(&report(SimulatedMachine { drift: 0.5, ..QUIET }, ids, |_, _| 1.0)),
            ["drift"]
        );
        let modes = |i, sample: &Sample| if i == 1 && sample.round.is_multiple_of(2) { 1.2 } else { 1.0 };
        let two = report(QUIET, ids, modes);
        let disturbances = two.variance(Some(Call::Search)).unwrap().disturbances;
        let is_of_b = |line: &String| line.starts_with("two modes: ") && line.contains(" apart: b ");
        assert!(disturbances.iter().any(is_of_b), "{disturbances:?}");
        let first =
            |i, sample: &Sample| if i == 2 && sample.repetition.is_multiple_of(20) { 1.15 } else { 1.0 };
        let names = disturbance_names(&report(QUIET, ids, first));
        assert!(names.contains(&"slow first repetition".to_owned()), "{names:?}");
        let far = |_, sample: &Sample| if sample.repetition % 20 == 5 { 3.0 } else { 1.0 };
        assert_eq!(disturbance_names(&report(QUIET, ids, far)), ["outliers"]);
    }

    #[test]
    fn a_kind_of_disturbance_is_one_sentence_with_the_greatest_first() {
        let all = [
            Disturbance::Drift(-0.05),
            Disturbance::TwoModes(1, 0.2),
            Disturbance::SlowFirst(0, 0.09),
            Disturbance::SlowFirst(2, 0.12),
        ];
        let lines = sentences(&all, &["a", "b", "c"]);
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert!(lines[0].starts_with("drift: everything takes 5 % less time "), "{lines:?}");
        assert!(lines[1].contains(" this far apart: b 20 %; "), "{lines:?}");
        assert!(lines[2].contains(" than the others: c 12 %, a 9 %; measure "), "{lines:?}");
        assert_eq!(sentences(&[], &[]), [""; 0]);
    }

    #[test]
    fn an_algorithm_alone_has_parts_of_two_levels() {
        let rows: String =
            (0..6).map(|i| format!("a,8,{i},ok,3,10,{},0,{}\n", 1000 + i * i, i / 2)).collect();
        let found = with_columns(",round", &rows).unwrap().variance(Some(Call::Search)).unwrap();
        let parts = &found.cells[0].components;
        assert_eq!((parts.rounds, parts.repetitions, parts.pattern, parts.moment), (3, 2.0, None, None));
    }

    /// The variance of rows of an algorithm, a round and a time; `c` crashed.
    fn variance(rows: &[(&str, u64, u64)]) -> Variance {
        let mut csv = String::new();
        for (i, (id, round, time)) in rows.iter().enumerate() {
            csv += &format!("{id},8,{i},ok,3,10,{time},0,{round}\n");
        }
        let report = with_columns(",round", &(csv + "c,8,0,crashed,,,,,0\n")).unwrap();
        report.variance(Some(Call::Search)).unwrap()
    }

    fn reasons(variance: &Variance) -> Vec<&str> {
        variance.without.iter().map(|cell| cell.why.as_str()).collect()
    }

    #[test]
    fn what_one_round_or_lone_repetitions_cannot_show_is_reported() {
        let one_round = variance(&[("a", 0, 100), ("a", 0, 101), ("b", 0, 0)]);
        assert_eq!(reasons(&one_round), ["one round, and two are needed", "times of 0", "crashed"]);
        assert_eq!((one_round.looked_for.len(), one_round.not_looked_for.len()), (0, 3));
        assert!(
            one_round.not_looked_for[0].contains("drift, two modes: needs 6 rounds (all have 1)"),
            "{one_round:?}"
        );

        let seven: Vec<_> = (0..7).map(|round| ("a", round, 100 + round % 3)).collect();
        let lone = variance(&seven);
        assert_eq!(reasons(&lone), ["one repetition a round, and two are needed", "crashed"]);
        assert_eq!((lone.looked_for, lone.not_looked_for.len()), (vec!["drift", "two modes"], 2));

        let pairs: Vec<_> = (0..14).map(|i| ("a", i / 2, 100 + i % 3)).collect();
        let all = variance(&pairs);
        assert_eq!((all.cells.len(), reasons(&all), all.not_looked_for.len()), (1, vec!["crashed"], 0));
        assert_eq!(all.looked_for, ["drift", "two modes", "slow first repetition", "outliers"]);
    }
}
