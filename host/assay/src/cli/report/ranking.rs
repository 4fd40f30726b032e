//! The output of `report` on several runs: the ranking over all of them, and the medians of each.

use assay_base::error::{Error, Result};
use assay_base::io::table::{Datum, Table};
use assay_report::across::{AcrossAlgorithm, AcrossRuns};
use assay_report::export::caption;
use assay_report::export::marks;
use assay_report::wording;
use assay_report::{Call, RangeAxis, Report};
use assay_stats::rounds::CommonRounds;
use assay_stats::significance::Overall;
use assay_store::{CellResult, Run, Status};
use serde_json::{Value, json};

use super::baseline::of_call;
use crate::cli::sheets::{Sheets, TitledTable, ratio};

/// Decimals of ratios, as in the tables of `--baseline`.
const DECIMALS: usize = 3;
/// Decimals of medians, as in the table of `run`.
const MEDIAN_DECIMALS: usize = 2;

/// Several runs with their ranking.
#[derive(Clone, Copy)]
pub(super) struct RankedRuns<'a> {
    /// The runs.
    pub reports: &'a [Report],
    /// Their results, in the same order.
    pub results: &'a [Run],
    /// The call whose times are ranked; `None` for all calls together.
    pub call: Option<Call>,
    /// The ranking.
    pub across: &'a AcrossRuns,
}

/// The tables and data of the ranking.
///
/// # Errors
/// If no algorithm has a ratio.
pub(super) fn sheets(ranked: &RankedRuns<'_>) -> Result<Sheets> {
    let RankedRuns { reports, across, .. } = ranked;
    if across.algorithms.iter().all(|row| row.overall.to_best.is_none()) {
        return Err(Error::new(
            "no times of these runs can be ranked: none has two rounds, or all are too short",
        )
        .remedy("measure with several --rounds and longer texts; `assay report RUN` shows each run alone"));
    }
    let mut heading: Vec<String> = reports[0].facts.subset.clone().into_iter().collect();
    for (report, name) in reports.iter().zip(&across.names) {
        heading.push(format!("Run {}: {name}", report.facts.id));
        heading.extend(wording::conditions(&report.facts));
        heading.extend(report.clock_note.clone());
        heading.extend(wording::remarks(&report.facts));
    }
    Ok(Sheets {
        heading,
        facts: reports.iter().map(caption::of_run).collect(),
        sheets: vec![ranking(ranked), medians(ranked)],
        rows: rows(ranked),
        object: object(ranked),
    })
}

fn rank(overall: &Overall) -> Datum {
    overall.standing.map(|standing| Datum::Number(standing.rank as f64, 0)).into()
}

/// The table of the ranking, with a column for each run.
fn ranking(ranked: &RankedRuns<'_>) -> TitledTable {
    let RankedRuns { reports, across, call, .. } = *ranked;
    let head = ["rank", "algorithm", "to the best", "from", "to", "cells"].map(str::to_owned);
    let mut table = Table::new(head.into_iter().chain(across.names.iter().cloned()));
    for AcrossAlgorithm { algorithm, overall, of_runs } in &across.algorithms {
        let row = [rank(overall), algorithm.as_str().into()].into_iter();
        let row = row.chain(ratio(overall.to_best, DECIMALS)).chain([Datum::Number(overall.cells as f64, 0)]);
        table.push(row.chain(of_runs.iter().map(|of_run| of_one_run(of_run.as_ref()).into())));
    }
    let (kind, values) = (across.by.plural(), reports[0].facts.over().plural());
    let mut legend = vec![
        format!(
            "to the best: geometric mean, over the {} cells (each of the {values} on each of the {kind}), of the ratio to the \
             best algorithm there, with its own 95 % interval, which is about these {kind} and no others",
            across.cells
        ),
        "Tied algorithms share a rank; ties are decided by intervals that hold all at once with 95 %"
            .to_owned(),
        format!(
            "the columns of the {kind} have the rank there alone and, in parentheses, the ratio to the best"
        ),
    ];
    let with_times = across.algorithms.iter().filter(|row| row.overall.to_best.is_some());
    let common = with_times.map(|row| row.overall.common).reduce(CommonRounds::fewer);
    legend.extend(common.and_then(CommonRounds::note));
    if across.algorithms.iter().any(|row| row.overall.cells < across.cells) {
        legend.push(
            "no rank: an algorithm without times in one of the cells; its mean is of those where it has some, and no \
             other's is compared with it"
                .to_owned(),
        );
    }
    let title = format!(
        "Ranking across {} {kind} by the {}:",
        reports.len(),
        of_call(&reports[0], call).to_lowercase()
    );
    TitledTable { title, table, legend }
}

/// "2 (1.31)", or the ratio alone where there is no rank; `None` without any.
fn of_one_run(overall: Option<&Overall>) -> Option<String> {
    let overall = overall?;
    let ratio = format!("({:.2})", overall.to_best?.ratio);
    Some(
        overall
            .standing
            .map_or_else(|| format!("- {ratio}"), |standing| format!("{} {ratio}", standing.rank)),
    )
}

/// The result of an algorithm in a run at a value.
fn cell<'a>(run: &'a Run, algorithm: &str, value: u64) -> Option<&'a CellResult> {
    run.results.iter().find(|cell| cell.algorithm == algorithm && cell.value() == value)
}

/// All values of the range in any run, ascending.
fn values(reports: &[Report]) -> Vec<u64> {
    let mut values: Vec<u64> = reports.iter().flat_map(Report::range).collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// The table of all medians: a row for each algorithm and run, in the order of the ranking.
fn medians(ranked: &RankedRuns<'_>) -> TitledTable {
    let RankedRuns { reports, results, call, across } = *ranked;
    let axis = RangeAxis::new(&reports[0].facts);
    let values = values(reports);
    let head = ["algorithm", across.by.singular()].map(str::to_owned);
    let mut table = Table::new(head.into_iter().chain(values.iter().map(|value| axis.short(*value))));
    let (mut ranks, mut has_refusals) = (Vec::new(), false);
    for AcrossAlgorithm { algorithm, of_runs, .. } in &across.algorithms {
        for ((run, name), _) in
            results.iter().zip(&across.names).zip(of_runs).filter(|(_, known)| known.is_some())
        {
            let cells = values.iter().map(|value| {
                let cell = cell(run, algorithm, *value)?;
                let Some(summary) = cell.time(call) else {
                    has_refusals |= cell.status == Status::CannotSearch;
                    return cell.status.is_failure().then(|| Datum::from(cell.status.words()));
                };
                let rank = *cell.ranks.get(call);
                ranks.push(rank);
                Some(Datum::Marked(summary.med / 1e3, MEDIAN_DECIMALS, marks::mark(rank, false)))
            });
            let row: Vec<Datum> = cells.map(Datum::from).collect();
            table.push([algorithm.as_str().into(), name.as_str().into()].into_iter().chain(row));
        }
    }
    let floor_ns = reports[0].facts.noise.floor_ns;
    let mut legend = marks::legend(&ranks, false, floor_ns, across.floor);
    legend
        .extend(has_refusals.then(|| format!("a dash: the algorithm is not made for this {}", axis.words())));
    TitledTable { title: format!("{}, median in µs:", of_call(&reports[0], call)), table, legend }
}

/// Everything as rows, for programs: of an algorithm over all runs, then over each run, then of its cells.
fn rows(ranked: &RankedRuns<'_>) -> Table {
    let RankedRuns { reports, results, call, across } = *ranked;
    let value = reports[0].facts.over().column();
    let mut rows = Table::new([
        "run",
        "name",
        "algorithm",
        value,
        "rank",
        "to_best",
        "low",
        "high",
        "cells",
        "median_us",
    ]);
    let number = |number: usize| Datum::Number(number as f64, 0);
    for AcrossAlgorithm { algorithm, overall, of_runs } in &across.algorithms {
        let id = || Datum::from(algorithm.as_str());
        rows.push(
            [Datum::Missing, Datum::Missing, id(), Datum::Missing].into_iter().chain(overall_cells(overall)),
        );
        for ((run, name), of_run) in results.iter().zip(&across.names).zip(of_runs) {
            let Some(of_run) = of_run else { continue };
            let head =
                || [Datum::from(run.experiment.id.as_str()), Datum::from(name.as_str()), id()].into_iter();
            rows.push(head().chain([Datum::Missing]).chain(overall_cells(of_run)));
            for cell in run.results.iter().filter(|cell| cell.algorithm == *algorithm) {
                let standing = cell.ranks.get(call).standing;
                let place = standing.map(|standing| number(standing.rank)).into();
                let to_best = ratio(standing.map(|standing| standing.to_best), DECIMALS);
                let median = cell.time(call).map(|summary| Datum::Number(summary.med / 1e3, MEDIAN_DECIMALS));
                let tail = [Datum::Missing, median.into()];
                let value = Datum::Number(cell.value() as f64, 0);
                rows.push(head().chain([value, place]).chain(to_best).chain(tail));
            }
        }
    }
    rows
}

/// The rank, the ratio to the best and the number of cells in the columns of CSV; without a median.
fn overall_cells(overall: &Overall) -> impl Iterator<Item = Datum> {
    let tail = [Datum::Number(overall.cells as f64, 0), Datum::Missing];
    [rank(overall)].into_iter().chain(ratio(overall.to_best, DECIMALS)).chain(tail)
}

/// Everything as an object, for programs.
fn object(ranked: &RankedRuns<'_>) -> Value {
    let RankedRuns { reports, results, call, across } = *ranked;
    let runs = results.iter().zip(&across.names).map(|(run, name)| {
        let cells = run.results.iter().map(|cell| {
            let standing = cell.ranks.get(call).standing;
            json!({
                "algorithm": cell.algorithm,
                run.experiment.over().column(): cell.value(),
                "status": cell.status.name(),
                "median_us": cell.time(call).map(|summary| summary.med / 1e3),
                "rank": standing.map(|standing| standing.rank),
                "to_best": standing.map(|standing| standing.to_best),
            })
        });
        json!({ "run": run.experiment.id, "name": name, "cells": cells.collect::<Vec<_>>() })
    });
    let ranking = across.algorithms.iter().map(|row| {
        let mut object = overall_object(&row.overall);
        object["algorithm"] = json!(row.algorithm);
        object["runs"] = row.of_runs.iter().map(|of_run| of_run.as_ref().map(overall_object)).collect();
        object
    });
    json!({
        "by": across.by.plural(),
        "call": call.map_or("all", Call::name),
        "subset": reports[0].facts.subset,
        "least_difference": across.floor,
        "cells": across.cells,
        "ranking": ranking.collect::<Vec<_>>(),
        "runs": runs.collect::<Vec<_>>(),
    })
}

fn overall_object(overall: &Overall) -> Value {
    json!({
        "rank": overall.standing.map(|standing| standing.rank),
        "to_best": overall.to_best,
        "cells": overall.cells,
    })
}
