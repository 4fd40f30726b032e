//! The tables of `compare --ranks`: whether runs rank the same algorithms alike.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use assay_base::io::numbers::fixed;
use assay_base::io::table::{Datum, Table};
use assay_report::agreement::{
    Agreement, AgreementAtValue, ReversedPair, RunsDifferBy, RunsOfText, UnrankedRun,
};
use assay_report::setup::setup_differences;
use assay_report::{Call, RangeAxis, Report};
use serde_json::{Value, json};

use crate::cli::report::of_call;
use crate::cli::sheets::{Sheets, TitledTable};

/// Decimals of Kendall's tau.
const DECIMALS: usize = 2;
/// How many algorithms a cell of the table names, so that a row fits a terminal.
const NAMED: usize = 3;

/// The tables of what runs agree about. Those of all ranks, a row for each algorithm and value, are left out
/// unless `all_ranks` is set.
pub(in crate::cli) fn rank_sheets(
    found: &Agreement,
    reports: &[Report],
    call: Option<Call>,
    all_ranks: bool,
) -> Sheets {
    let axis = RangeAxis::new(&reports[0].facts);
    let mut sheets = Vec::new();
    for group in &found.groups {
        sheets.push(agreement_sheet(group, reports, &axis, call));
        sheets.extend(all_ranks.then(|| ranks_sheet(group, &axis, call)));
    }
    let mut heading: Vec<String> =
        found.groups.iter().flat_map(|group| heading(group, reports, &axis)).collect();
    heading.extend(found.not_compared.iter().map(|UnrankedRun { run, reason }| {
        let facts = &reports[*run].facts;
        format!(
            "not compared: {} on {}, run {}: {}",
            facts.texts_in_words(),
            cpu(&reports[*run]),
            facts.id,
            reason.words()
        )
    }));
    Sheets {
        heading,
        facts: Vec::new(),
        sheets,
        rows: rows(found, reports),
        object: object(found, reports, &axis, call),
    }
}

/// The model of the CPU of a run.
fn cpu(report: &Report) -> &str {
    report.facts.machine.cpu.as_deref().unwrap_or("unknown CPU")
}

/// The summary of a group, and what differs between its runs besides what they are compared by.
fn heading(group: &RunsOfText, reports: &[Report], axis: &RangeAxis) -> Vec<String> {
    /// How the lines on what belongs to a machine begin.
    const OF_MACHINE: [&str; 7] =
        ["machine", "kernel", "CPUs", "measured on CPU", "governor", "speed", "architecture"];
    let mut lines = vec![summary(group, axis)];
    let first = &reports[group.runs[0]].facts;
    for (number, run) in group.runs.iter().enumerate().skip(1) {
        let differences = setup_differences(first, &reports[*run].facts).notable.into_iter();
        let differences = differences.filter(|line| {
            group.by == RunsDifferBy::Run || !OF_MACHINE.iter().any(|of_machine| line.starts_with(of_machine))
        });
        lines.extend(differences.map(|line| format!("differs ({} from 1) {line}", number + 1)));
    }
    lines
}

/// " on english", or nothing if the runs have different texts.
fn on_text(group: &RunsOfText) -> String {
    group.text.as_ref().map_or_else(String::new, |text| format!(" on {text}"))
}

/// "ranks on english agree on 4 of 4 CPUs at m=8,16; on 3 of 4 CPUs at m=4; not compared at m=2".
fn summary(group: &RunsOfText, axis: &RangeAxis) -> String {
    let mut by_count: BTreeMap<Reverse<(usize, usize)>, Vec<String>> = BTreeMap::new();
    for value in &group.values {
        let count = Reverse((value.agreeing.len(), value.ranking.len()));
        by_count.entry(count).or_default().push(axis.label(value.value));
    }
    let (on_text, kind, symbol) = (on_text(group), group.by.plural(), axis.symbol());
    let mut parts: Vec<String> = by_count
        .into_iter()
        .map(|(Reverse((agreeing, ranking)), labels)| {
            format!("on {agreeing} of {ranking} {kind} at {symbol}={}", labels.join(","))
        })
        .collect();
    if !group.not_compared.is_empty() {
        let labels: Vec<String> = group.not_compared.iter().map(|value| axis.label(*value)).collect();
        parts.push(format!("not compared at {symbol}={}", labels.join(",")));
    }
    format!("ranks{on_text} agree {}", parts.join("; "))
}

/// The table of what the runs agree about, a row for each value.
fn agreement_sheet(
    group: &RunsOfText,
    reports: &[Report],
    axis: &RangeAxis,
    call: Option<Call>,
) -> TitledTable {
    let columns = [axis.symbol(), "agree", "tau", "from", "to", "best everywhere", "reversed"];
    let mut table = Table::new(columns);
    for cell in &group.values {
        let tau = cell.concordance;
        let number =
            |value: Option<f64>| value.map_or(Datum::Missing, |value| Datum::Number(value, DECIMALS));
        table.push([
            axis.cell(cell.value),
            agreeing(cell).into(),
            number(tau.map(|tau| tau.tau)),
            number(tau.map(|tau| tau.low)),
            number(tau.map(|tau| tau.high)),
            some(&cell.best_everywhere()).into(),
            reversed(&cell.reversed).into(),
        ]);
    }
    let mut legend: Vec<String> = group
        .names
        .iter()
        .zip(&group.runs)
        .zip(1..)
        .map(|((name, run), number)| format!("{number}: {name}, run {}", reports[*run].facts.id))
        .collect();
    let kind = group.by.plural();
    legend.push(format!(
        "agree: size of the largest set of {kind} without a reversed pair; in a reversed pair, each of two algorithms is \
         significantly faster than the other on one of the {kind} (p < 0.05 on both, Holm)"
    ));
    legend.push(format!(
        "tau: Kendall's, by the mean logarithms of the times, averaged over all pairs of {kind}; from, to: whatever the order \
         of algorithms that are not significantly different (95 % for all together)"
    ));
    if group.values.iter().any(|value| !value.reversed.is_empty()) {
        legend.push(format!(
            "reversed: a < b (1, 2) means that a is faster on 1, and b on 2, of the {kind} above"
        ));
    }
    let title = format!("Agreement{} by the {}:", on_text(group), of_call(call).to_lowercase());
    TitledTable { title, table, legend }
}

/// "3 of 4: 1, 2, 4", or "4 of 4".
fn agreeing(cell: &AgreementAtValue) -> String {
    let of = cell.ranking.len();
    if cell.is_agreed() {
        return format!("{of} of {of}");
    }
    let runs: Vec<String> = cell.agreeing.iter().map(|run| (run + 1).to_string()).collect();
    format!("{} of {of}: {}", runs.len(), runs.join(", "))
}

/// The first names, and the number of others; nothing if there are none.
fn some(names: &[&str]) -> Option<String> {
    let (named, others) = names.split_at(names.len().min(NAMED));
    let more = (!others.is_empty()).then(|| format!(" and {} more", others.len()));
    (!named.is_empty()).then(|| named.join(", ") + &more.unwrap_or_default())
}

/// The first reversed pair, and the number of others; nothing if there are none.
fn reversed(pairs: &[ReversedPair]) -> Option<String> {
    let ReversedPair { one, other, runs: [first, second] } = pairs.first()?;
    let more = if pairs.len() > 1 { format!(" and {} more", pairs.len() - 1) } else { String::new() };
    Some(format!("{one} < {other} ({}, {}){more}", first + 1, second + 1))
}

/// The table of all ranks: a row for each algorithm and value, a column for each run.
fn ranks_sheet(group: &RunsOfText, axis: &RangeAxis, call: Option<Call>) -> TitledTable {
    let numbers = (1..=group.names.len()).map(|number| number.to_string());
    let mut table = Table::new(["algorithm".to_owned(), axis.symbol().to_owned()].into_iter().chain(numbers));
    for cell in &group.values {
        for (algorithm, ranks) in &cell.algorithms {
            let shown = ranks.iter().map(|rank| match rank.standing {
                None => Datum::Missing,
                Some(standing) => {
                    let best = match rank {
                        rank if rank.is_best() => "+",
                        rank if rank.is_uncertain() => "?",
                        _ => "",
                    };
                    format!("{}{best} ({})", standing.rank, fixed(standing.to_best.ratio, DECIMALS)).into()
                }
            });
            table.push([Datum::from(algorithm.as_str()), axis.cell(cell.value)].into_iter().chain(shown));
        }
    }
    let legend = vec![
        format!(
            "the columns are the {} above, each with the rank and, in parentheses, the ratio to the best algorithm of the same \
             column; a ratio below 1 is possible, because the best has the least median, and ratios are by pattern",
            group.by.plural()
        ),
        // Not in the form of a mark, which would be bold in documents: the cells have the sign in all of them.
        "a rank with + is best, or not known to be slower than the best; ? has too few or too noisy rounds to know".to_owned(),
    ];
    let title = format!("Ranks{} by the {}:", on_text(group), of_call(call).to_lowercase());
    TitledTable { title, table, legend }
}

/// One row for each rank, and one with the reason for each run that is not compared, for programs.
fn rows(found: &Agreement, reports: &[Report]) -> Table {
    let value = reports[0].facts.over().column();
    let before = ["text", "run", "name", value, "algorithm", "rank", "ratio_to_best", "low", "high", "best"];
    let mut rows = Table::new(before.into_iter().chain(["not_compared"]));
    for group in &found.groups {
        for cell in &group.values {
            for (algorithm, ranks) in &cell.algorithms {
                for ((rank, run), name) in ranks.iter().zip(&group.runs).zip(&group.names) {
                    let Some(standing) = rank.standing else { continue };
                    let facts = &reports[*run].facts;
                    let number = |number: f64| Datum::Number(number, 3);
                    rows.push([
                        facts.texts_in_words().into(),
                        facts.id.as_str().into(),
                        name.as_str().into(),
                        Datum::Number(cell.value as f64, 0),
                        algorithm.as_str().into(),
                        Datum::Number(standing.rank as f64, 0),
                        number(standing.to_best.ratio),
                        number(standing.to_best.low),
                        number(standing.to_best.high),
                        Datum::Flag(rank.is_best()),
                        Datum::Missing,
                    ]);
                }
            }
        }
    }
    for UnrankedRun { run, reason } in &found.not_compared {
        let report = &reports[*run];
        let named: [Datum; 3] =
            [report.facts.texts_in_words().into(), report.facts.id.as_str().into(), cpu(report).into()];
        let missing = [const { Datum::Missing }; 7];
        rows.push(named.into_iter().chain(missing).chain([reason.words().into()]));
    }
    rows
}

/// Everything as an object, for programs.
fn object(found: &Agreement, reports: &[Report], axis: &RangeAxis, call: Option<Call>) -> Value {
    let cell = |group: &RunsOfText, cell: &AgreementAtValue| {
        let id = |run: &usize| reports[group.runs[*run]].facts.id.clone();
        let ranks = cell.algorithms.iter().map(|(algorithm, ranks)| {
            let ranks = ranks.iter().map(|rank| rank.standing.map(|standing| standing.rank));
            json!({ "algorithm": algorithm, "ranks": ranks.collect::<Vec<_>>() })
        });
        let reversed = cell.reversed.iter().map(|pair| {
            json!({ "faster_in_first": pair.one, "faster_in_second": pair.other, "runs": pair.runs.each_ref().map(id) })
        });
        json!({
            axis.column(): cell.value,
            "ranking": cell.ranking.iter().map(id).collect::<Vec<_>>(),
            "agreeing": cell.agreeing.iter().map(id).collect::<Vec<_>>(),
            "tau": cell.concordance.map(|found| found.tau),
            "tau_low": cell.concordance.map(|found| found.low),
            "tau_high": cell.concordance.map(|found| found.high),
            "best_everywhere": cell.best_everywhere(),
            "reversed": reversed.collect::<Vec<_>>(),
            "algorithms": ranks.collect::<Vec<_>>(),
        })
    };
    let group = |group: &RunsOfText| {
        let runs = group.runs.iter().zip(&group.names);
        let runs = runs.map(|(run, name)| json!({ "run": reports[*run].facts.id, "name": name }));
        json!({
            "text": group.text,
            "summary": summary(group, axis),
            "runs": runs.collect::<Vec<_>>(),
            "not_compared": group.not_compared,
            "values": group.values.iter().map(|one| cell(group, one)).collect::<Vec<_>>(),
        })
    };
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
        "call": call.map_or("all", Call::name),
        "groups": found.groups.iter().map(group).collect::<Vec<_>>(),
        "not_compared": not_compared.collect::<Vec<_>>(),
    })
}
