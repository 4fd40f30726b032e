//! How algorithms do in several runs together: on several texts, or on several machines.

use assay_base::error::Result;
use assay_stats::RoundValues;
use assay_stats::significance::{Overall, overall};
use assay_store::null::floor;

use crate::agreement::{RunsDifferBy, check_together};
use crate::{Call, Report};

/// The ranking of algorithms over several runs.
#[derive(Clone, Debug, PartialEq)]
pub struct AcrossRuns {
    /// What distinguishes the runs.
    pub by: RunsDifferBy,
    /// What each run is called: its text, its CPU, or its id.
    pub names: Vec<String>,
    /// How many range values, summed over the runs, have a best algorithm: the mean is over these.
    pub cells: usize,
    /// Differences up to this share of the time are ties: the greatest noise floor of the runs.
    pub floor: f64,
    /// The algorithms, best first; those without a rank last.
    pub algorithms: Vec<AcrossAlgorithm>,
}

/// An algorithm in several runs.
#[derive(Clone, Debug, PartialEq)]
pub struct AcrossAlgorithm {
    /// Its id.
    pub algorithm: String,
    /// Its mean ratio to the best of each range value of each run, and its rank by that.
    pub overall: Overall,
    /// The same in each run alone; `None` if it did not take part there.
    pub of_runs: Vec<Option<Overall>>,
}

/// Ranks the algorithms of several runs, by the times of a call or of all calls together.
///
/// The mean is over all range values of all runs, each with the same weight. The runs are independent, so
/// their rounds are averaged in the order of their numbers: each average is one observation.
///
/// # Errors
/// If a run has no times, the runs vary different things, two of them have the same measurements, or
/// measurements can't be read again.
pub fn across_runs(reports: &[Report], call: Option<Call>) -> Result<AcrossRuns> {
    check_together(reports)?;
    let mut ids: Vec<&str> = Vec::new();
    for id in reports.iter().flat_map(Report::algorithms) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let mut ratios: Vec<Vec<Option<RoundValues>>> = vec![Vec::new(); ids.len()];
    let mut of_runs: Vec<Vec<Option<Overall>>> = vec![Vec::new(); ids.len()];
    let mut greatest: f64 = 0.0;
    for report in reports {
        let least = floor(report.null(call)?.as_ref(), call);
        greatest = greatest.max(least);
        let to_best = report.ratios_to_best(call, &report.ranks(call)?)?;
        let cells = to_best.first().map_or(0, Vec::len);
        let known = overall(&to_best, least);
        let mut present: std::collections::HashMap<&str, _> =
            report.algorithms().zip(to_best.into_iter().zip(known)).collect();
        for ((id, ratios), of_runs) in ids.iter().zip(&mut ratios).zip(&mut of_runs) {
            let (of_run, known) = match present.remove(id) {
                Some((of_run, known)) => (of_run, Some(known)),
                None => (vec![None; cells], None),
            };
            ratios.extend(of_run);
            of_runs.push(known);
        }
    }
    let cells = ratios.first().map_or(0, Vec::len);
    let together = overall(&ratios, greatest);
    let mut algorithms: Vec<AcrossAlgorithm> = ids
        .into_iter()
        .zip(together)
        .zip(of_runs)
        .map(|((id, overall), of_runs)| AcrossAlgorithm { algorithm: id.to_owned(), overall, of_runs })
        .collect();
    algorithms.sort_by(|one, other| {
        let ((rank, ratio), (other_rank, other_ratio)) = (one.overall.order(), other.overall.order());
        rank.cmp(&other_rank).then(ratio.total_cmp(&other_ratio))
    });
    let (by, names) = run_names(reports);
    Ok(AcrossRuns { by, names, cells, floor: greatest, algorithms })
}

/// What distinguishes runs, and what each is called: by the text if each has its own, else by the CPU, else
/// by the description or the id.
fn run_names(reports: &[Report]) -> (RunsDifferBy, Vec<String>) {
    let names = |name: &dyn Fn(&Report) -> String| reports.iter().map(name).collect::<Vec<String>>();
    let cpu = |report: &Report| report.facts.machine.cpu.clone().unwrap_or_else(|| "unknown CPU".to_owned());
    let description = |report: &Report| {
        let definition = report.facts.definition.as_ref();
        definition.map_or_else(String::new, |definition| definition.description.trim().to_owned())
    };
    let candidates = [
        (RunsDifferBy::Text, names(&|report| report.facts.texts_by_name())),
        // Files that share a name have their paths.
        (RunsDifferBy::Text, names(&|report| report.facts.texts_in_words())),
        (RunsDifferBy::Cpu, names(&cpu)),
        (RunsDifferBy::Run, names(&description)),
    ];
    let are_unique = |names: &[String]| {
        let mut sorted: Vec<&String> = names.iter().collect();
        sorted.sort_unstable();
        sorted.windows(2).all(|pair| pair[0] != pair[1]) && !names.contains(&String::new())
    };
    let found = candidates.into_iter().find(|(_, names)| are_unique(names));
    found.unwrap_or_else(|| (RunsDifferBy::Run, names(&|report| report.facts.id.clone())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::with_columns;

    /// A run on a text, with the time of each algorithm at each of two lengths.
    fn run(text: &str, times: &[(&str, [u32; 2])]) -> Report {
        let mut rows = String::new();
        for round in 0..5 {
            for (algorithm, times) in times {
                for (length, time) in [4, 8].into_iter().zip(times) {
                    let time = time * 100 + (round * 7 + length) % 3;
                    rows += &format!("{algorithm},{length},{round},ok,3,10,{time},0,{round}\n");
                }
            }
        }
        let mut report = with_columns(",round", &rows).unwrap();
        report.facts.text.sources = vec![text.to_owned()];
        report.facts.text.sha256 = text.to_owned();
        report.facts.id = format!("20260102-030405-{text}");
        report
    }

    #[test]
    fn ratios_to_the_best_are_averaged_over_all_lengths_of_all_texts() {
        let english = run("english", &[("a", [100, 100]), ("b", [200, 200]), ("c", [100, 400])]);
        let genome = run("genome", &[("b", [100, 100]), ("a", [800, 800]), ("d", [100, 100])]);
        let found = across_runs(&[english, genome], Some(Call::Search)).unwrap();
        assert_eq!((found.by, found.cells), (RunsDifferBy::Text, 4));
        assert_eq!(found.names, ["english", "genome"]);
        let seen: Vec<(&str, Option<usize>, usize, f64)> = found
            .algorithms
            .iter()
            .map(|row| {
                let ratio = row.overall.to_best.unwrap().ratio;
                let rank = row.overall.standing.map(|standing| standing.rank);
                (row.algorithm.as_str(), rank, row.overall.cells, (ratio * 100.0).round() / 100.0)
            })
            .collect();
        // b: 2, 2, 1, 1; a: 1, 1, 8, 8. Those that are missing on a text have no rank.
        let expected =
            [("b", Some(1), 4, 1.41), ("a", Some(2), 4, 2.83), ("d", None, 2, 1.0), ("c", None, 2, 2.0)];
        assert_eq!(seen, expected);
        let of_runs: Vec<Option<usize>> = found.algorithms[1]
            .of_runs
            .iter()
            .map(|overall| overall.and_then(|overall| overall.standing).map(|standing| standing.rank))
            .collect();
        assert_eq!(of_runs, [Some(1), Some(3)]);
        assert_eq!(found.algorithms[2].of_runs[0], None);
    }

    #[test]
    fn runs_are_called_by_what_distinguishes_them() {
        let a = [("a", [100, 100])];
        let (mut one, mut other) = (run("english", &a), run("english", &a));
        let cpu = |report: &mut Report, cpu: &str| report.facts.machine.cpu = Some(cpu.to_owned());
        cpu(&mut one, "Zen");
        cpu(&mut other, "Ice");
        let by = |one: &Report, other: &Report| run_names(&[one.clone(), other.clone()]);
        assert_eq!(by(&one, &other), (RunsDifferBy::Cpu, vec!["Zen".to_owned(), "Ice".to_owned()]));
        cpu(&mut other, "Zen");
        one.facts.definition.as_mut().unwrap().description = "before".to_owned();
        other.facts.definition.as_mut().unwrap().description = "after".to_owned();
        assert_eq!(by(&one, &other).1, ["before", "after"]);
        other.facts.definition.as_mut().unwrap().description.clear();
        other.facts.id = "another".to_owned();
        assert_eq!(by(&one, &other), (RunsDifferBy::Run, vec![one.facts.id.clone(), "another".to_owned()]));
    }
}
