//! What `compare --ranks` writes for programs: rows, and an object.

use assay_base::io::table::{Datum, Table};
use assay_report::agreement::{Agreement, AgreementAtValue, RunsOfText, UnrankedRun};
use assay_report::{Call, RangeAxis, Report};
use serde_json::{Value, json};

use super::{cpu, differences, summary};

/// The columns before those of a kind of rows, with that of the range value after them.
const BEFORE_VALUE: [&str; 4] = ["kind", "text", "run", "name"];
/// The columns of ranks.
const OF_RANKS: [&str; 6] = ["algorithm", "rank", "ratio_to_best", "low", "high", "best"];
/// The columns of the agreement of several runs.
const OF_AGREEMENT: [&str; 7] =
    ["agreeing", "ranking", "agreeing_runs", "tau_algorithms", "tau", "tau_low", "tau_high"];
/// The columns of reversed pairs; the algorithm and the run that it is faster in are in the columns of ranks.
const OF_REVERSED: [&str; 6] = ["other_algorithm", "other_run", "other_name", "ratio", "other_ratio", "p"];

/// One row for each rank, for the agreement at each value, for each reversed pair, and for each run that is not
/// compared; the first column says which it is. Columns of other kinds are empty.
pub(super) fn rows(found: &Agreement, reports: &[Report]) -> Table {
    let value = reports[0].facts.over().column();
    let before = BEFORE_VALUE.into_iter().chain([value]);
    let columns = before.chain(OF_RANKS).chain(OF_AGREEMENT).chain(OF_REVERSED);
    let mut rows = Table::new(columns.chain(["not_compared"]));
    for group in &found.groups {
        for cell in &group.values {
            let all = rank_rows(group, cell, reports);
            let all = all.into_iter().chain([agreement_row(group, cell, reports)]);
            let all = all.chain(reversed_rows(group, cell, reports));
            all.for_each(|row| rows.push(row.into_iter().chain([Datum::Missing])));
        }
    }
    for UnrankedRun { run, reason } in &found.not_compared {
        let report = &reports[*run];
        let before: [Datum; 4] = [
            "not_compared".into(),
            report.facts.texts_in_words().into(),
            report.facts.id.as_str().into(),
            cpu(report).into(),
        ];
        let between: [Datum; 1 + OF_RANKS.len() + OF_AGREEMENT.len() + OF_REVERSED.len()] = missing();
        rows.push(before.into_iter().chain(between).chain([reason.words().into()]));
    }
    rows
}

/// A row of a kind. What its columns have besides is missing.
fn row(
    [kind, text, run, name]: [Datum; 4],
    value: u64,
    ranks: [Datum; 6],
    agreement: [Datum; 7],
    reversed: [Datum; 6],
) -> Vec<Datum> {
    let value = Datum::Number(value as f64, 0);
    let before = [kind, text, run, name, value].into_iter();
    before.chain(ranks).chain(agreement).chain(reversed).collect()
}

/// As many missing cells as columns.
fn missing<const COUNT: usize>() -> [Datum; COUNT] {
    [const { Datum::Missing }; COUNT]
}

/// A ratio, or another figure with decimals.
fn decimal(number: f64) -> Datum {
    Datum::Number(number, 3)
}

/// A count.
fn whole(number: usize) -> Datum {
    Datum::Number(number as f64, 0)
}

/// The ranks of each run at a value.
fn rank_rows(group: &RunsOfText, cell: &AgreementAtValue, reports: &[Report]) -> Vec<Vec<Datum>> {
    let mut rows = Vec::new();
    for (algorithm, ranks) in &cell.algorithms {
        for ((rank, run), name) in ranks.iter().zip(&group.runs).zip(&group.names) {
            let Some(standing) = rank.standing else { continue };
            let facts = &reports[*run].facts;
            let before = [
                "rank".into(),
                facts.texts_in_words().into(),
                facts.id.as_str().into(),
                name.as_str().into(),
            ];
            let of_rank = [
                algorithm.as_str().into(),
                whole(standing.rank),
                decimal(standing.to_best.ratio),
                decimal(standing.to_best.low),
                decimal(standing.to_best.high),
                Datum::Flag(rank.is_best()),
            ];
            rows.push(row(before, cell.value, of_rank, missing(), missing()));
        }
    }
    rows
}

/// What the runs agree about at a value.
fn agreement_row(group: &RunsOfText, cell: &AgreementAtValue, reports: &[Report]) -> Vec<Datum> {
    let ids: Vec<&str> =
        cell.agreeing.iter().map(|run| reports[group.runs[*run]].facts.id.as_str()).collect();
    let tau = cell.concordance;
    let number = |number: Option<f64>| number.map_or(Datum::Missing, decimal);
    let before = ["agreement".into(), group.text.clone().into(), Datum::Missing, Datum::Missing];
    let agreement = [
        whole(cell.agreeing.len()),
        whole(cell.ranking.len()),
        ids.join(" ").into(),
        whole(cell.ranked_by_all().len()),
        number(tau.map(|tau| tau.tau)),
        number(tau.map(|tau| tau.low)),
        number(tau.map(|tau| tau.high)),
    ];
    row(before, cell.value, missing(), agreement, missing())
}

/// The reversed pairs at a value.
fn reversed_rows(group: &RunsOfText, cell: &AgreementAtValue, reports: &[Report]) -> Vec<Vec<Datum>> {
    let mut rows = Vec::new();
    for pair in &cell.reversed {
        let [first, second] = pair.runs.map(|run| &reports[group.runs[run]].facts);
        let [name, other_name] = pair.runs.map(|run| group.names[run].as_str());
        let before =
            ["reversed".into(), first.texts_in_words().into(), first.id.as_str().into(), name.into()];
        let mut of_rank = missing();
        of_rank[0] = pair.one.as_str().into();
        let reversed = [
            pair.other.as_str().into(),
            second.id.as_str().into(),
            other_name.into(),
            decimal(pair.ratios[0]),
            decimal(pair.ratios[1]),
            decimal(pair.p),
        ];
        rows.push(row(before, cell.value, of_rank, missing(), reversed));
    }
    rows
}

/// Everything as an object, for programs.
pub(super) fn object(found: &Agreement, reports: &[Report], axis: &RangeAxis, call: Option<Call>) -> Value {
    let not_compared = found.not_compared.iter().map(|UnrankedRun { run, reason }| {
        let report = &reports[*run];
        json!({
            "run": report.facts.id,
            "text": report.facts.texts_in_words(),
            "name": cpu(report),
            "reason": reason.words(),
        })
    });
    json!({
        "call": reports[0].call_name(call),
        "subset": reports[0].facts.subset,
        "groups": found.groups.iter().map(|group| group_object(group, reports, axis)).collect::<Vec<_>>(),
        "not_compared": not_compared.collect::<Vec<_>>(),
    })
}

/// The runs of a text, and what they agree about.
fn group_object(group: &RunsOfText, reports: &[Report], axis: &RangeAxis) -> Value {
    let runs = group.runs.iter().zip(&group.names).zip(differences(group, reports));
    let runs = runs.map(|((run, name), differs)| {
        json!({ "run": reports[*run].facts.id, "name": name, "differs_from_first": differs })
    });
    let values = group.values.iter().map(|cell| value_object(group, cell, reports, axis));
    json!({
        "text": group.text,
        "summary": summary(group, axis),
        "runs": runs.collect::<Vec<_>>(),
        "not_compared": group.not_compared,
        "values": values.collect::<Vec<_>>(),
    })
}

/// What the runs agree about at a value.
fn value_object(group: &RunsOfText, cell: &AgreementAtValue, reports: &[Report], axis: &RangeAxis) -> Value {
    let id = |run: &usize| reports[group.runs[*run]].facts.id.clone();
    let ranks = cell.algorithms.iter().map(|(algorithm, ranks)| {
        let ranks = ranks.iter().map(|rank| rank.standing.map(|standing| standing.rank));
        json!({ "algorithm": algorithm, "ranks": ranks.collect::<Vec<_>>() })
    });
    let reversed = cell.reversed.iter().map(|pair| {
        json!({
            "faster_in_first": pair.one,
            "faster_in_second": pair.other,
            "runs": pair.runs.each_ref().map(id),
            "ratios": pair.ratios,
            "p": pair.p,
        })
    });
    json!({
        axis.column(): cell.value,
        "ranking": cell.ranking.iter().map(id).collect::<Vec<_>>(),
        "agreeing": cell.agreeing.iter().map(id).collect::<Vec<_>>(),
        "tau": cell.concordance.map(|found| found.tau),
        "tau_low": cell.concordance.map(|found| found.low),
        "tau_high": cell.concordance.map(|found| found.high),
        "tau_algorithms": cell.ranked_by_all(),
        "ranked_by_one_run": cell.ranked_by_one(),
        "best_everywhere": cell.best_everywhere(),
        "reversed": reversed.collect::<Vec<_>>(),
        "algorithms": ranks.collect::<Vec<_>>(),
    })
}
