//! The tables of `compare --ranks`: whether runs rank the same algorithms alike.

mod data;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use assay_base::io::numbers::fixed;
use assay_base::io::table::{Datum, Table};
use assay_report::agreement::{
    Agreement, AgreementAtValue, ReversedPair, RunsDifferBy, RunsOfText, UnrankedRun,
};
use assay_report::setup::setup_differences;
use assay_report::{Call, RangeAxis, Report};

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
    let numbers = numbers(&found.groups);
    for (group, numbers) in found.groups.iter().zip(&numbers) {
        sheets.push(agreement_sheet(group, numbers, reports, &axis, call));
        sheets.extend(all_ranks.then(|| ranks_sheet(group, numbers, &axis, &of_call(&reports[0], call))));
    }
    // The subset is the same in all runs, and its counts are those of the first.
    let mut heading: Vec<String> = reports[0].facts.subset.clone().into_iter().collect();
    for (group, numbers) in found.groups.iter().zip(&numbers) {
        heading.extend(self::heading(group, numbers, reports, &axis));
    }
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
        rows: data::rows(found, reports),
        object: data::object(found, reports, &axis, call),
    }
}

/// The model of the CPU of a run.
fn cpu(report: &Report) -> &str {
    report.facts.machine.cpu.as_deref().unwrap_or("unknown CPU")
}

/// The number of each run of each group, from 1 on. All runs of the same name have the same number, so that
/// a CPU has one number in all tables.
fn numbers(groups: &[RunsOfText]) -> Vec<Vec<usize>> {
    let mut names: Vec<&str> = Vec::new();
    let mut numbers = Vec::new();
    for group in groups {
        let mut of_group = Vec::new();
        for name in &group.names {
            let known = names.iter().position(|known| known == name);
            of_group.push(
                1 + known.unwrap_or_else(|| {
                    names.push(name);
                    names.len() - 1
                }),
            );
        }
        numbers.push(of_group);
    }
    numbers
}

/// The summary of a group, and what differs between its runs besides what they are compared by.
fn heading(group: &RunsOfText, numbers: &[usize], reports: &[Report], axis: &RangeAxis) -> Vec<String> {
    let mut lines = vec![summary(group, axis)];
    for (number, differences) in numbers.iter().zip(differences(group, reports)) {
        lines.extend(differences.iter().map(|line| format!("differs ({number} from {}) {line}", numbers[0])));
    }
    lines
}

/// What differs between each run of a group and the first, besides what they are compared by. What belongs to
/// the machine is left out only if they are compared by the CPU: otherwise the CPU may be the reason why
/// their ranks differ.
fn differences(group: &RunsOfText, reports: &[Report]) -> Vec<Vec<String>> {
    /// How the lines on what belongs to a machine begin.
    const OF_MACHINE: [&str; 9] = [
        "speed",
        "machine",
        "kernel",
        "CPUs",
        "measured on CPU",
        "governor",
        "architecture",
        "distribution",
        "microcode",
    ];
    let left_out = match group.by {
        RunsDifferBy::Cpu => &OF_MACHINE[..],
        // Each rank is of one run, so a slower machine needs no warning.
        RunsDifferBy::Text => &OF_MACHINE[..1],
        RunsDifferBy::Run => &[],
    };
    let first = &reports[group.runs[0]].facts;
    let of_run = |run: &usize| {
        let mut lines = setup_differences(first, &reports[*run].facts).notable;
        lines.retain(|line| !left_out.iter().any(|begin| line.starts_with(begin)));
        lines
    };
    group.runs.iter().map(of_run).collect()
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
    numbers: &[usize],
    reports: &[Report],
    axis: &RangeAxis,
    call: Option<Call>,
) -> TitledTable {
    let columns = [axis.symbol(), "agree", "algorithms", "tau", "from", "to", "best everywhere", "reversed"];
    let mut table = Table::new(columns);
    for cell in &group.values {
        let tau = cell.concordance;
        let number =
            |value: Option<f64>| value.map_or(Datum::Missing, |value| Datum::Number(value, DECIMALS));
        table.push([
            axis.cell(cell.value),
            agreeing(cell, numbers).into(),
            covered(cell).into(),
            number(tau.map(|tau| tau.tau)),
            number(tau.map(|tau| tau.low)),
            number(tau.map(|tau| tau.high)),
            some(&cell.best_everywhere()).into(),
            reversed(&cell.reversed, numbers).into(),
        ]);
    }
    let mut legend: Vec<String> = group
        .names
        .iter()
        .zip(&group.runs)
        .zip(numbers)
        .map(|((name, run), number)| format!("{number}: {name}, run {}", reports[*run].facts.id))
        .collect();
    let kind = group.by.plural();
    legend.push(format!(
        "agree: size of the largest set of {kind} without a reversed pair, so the ranks on these {kind} are not contradicted, \
         which does not show that they are alike: ties contradict nothing; in a reversed pair, each of two algorithms is \
         significantly faster than the other on one of the {kind} (p < 0.05 on both, Holm)"
    ));
    legend.push(coverage(group));
    legend.push(format!(
        "tau: Kendall's, by the ratios on which the ranks rest, averaged over all pairs of {kind}; from, to: whatever the order \
         of algorithms that are not significantly different beyond the noise floor (95 % for all together)"
    ));
    if group.values.iter().any(|value| !value.reversed.is_empty()) {
        legend.push(format!(
            "reversed: a < b (1, 2) means that a is faster on 1, and b on 2, of the {kind} above"
        ));
    }
    let title = format!("Agreement{} by the {}:", on_text(group), of_call(&reports[0], call).to_lowercase());
    TitledTable { title, table, legend }
}

/// What the column of algorithms shows, and which algorithms are left out.
fn coverage(group: &RunsOfText) -> String {
    let kind = group.by.plural();
    let mut alone: Vec<&str> = Vec::new();
    for id in group.values.iter().flat_map(AgreementAtValue::ranked_by_one) {
        if !alone.contains(&id) {
            alone.push(id);
        }
    }
    let left_out = some(&alone).map_or_else(String::new, |names| {
        format!("; left out, because one of the {kind} alone ranks them: {names}")
    });
    format!(
        "algorithms: how many all {kind} rank, which are those of tau, of the number that any ranks{left_out}"
    )
}

/// "3 of 4", or "4": the algorithms that all runs rank, of those that any of them ranks.
fn covered(cell: &AgreementAtValue) -> String {
    let (covered, all) = (cell.ranked_by_all().len(), cell.algorithms.len());
    if covered == all { all.to_string() } else { format!("{covered} of {all}") }
}

/// "3 of 4: 1, 2, 4", or "4 of 4".
fn agreeing(cell: &AgreementAtValue, numbers: &[usize]) -> String {
    let of = cell.ranking.len();
    if cell.is_agreed() {
        return format!("{of} of {of}");
    }
    let runs: Vec<String> = cell.agreeing.iter().map(|run| numbers[*run].to_string()).collect();
    format!("{} of {of}: {}", runs.len(), runs.join(", "))
}

/// The first names, and the number of others; nothing if there are none.
fn some(names: &[&str]) -> Option<String> {
    let (named, others) = names.split_at(names.len().min(NAMED));
    let more = (!others.is_empty()).then(|| format!(" and {} more", others.len()));
    (!named.is_empty()).then(|| named.join(", ") + &more.unwrap_or_default())
}

/// The first reversed pair, and the number of others; nothing if there are none.
fn reversed(pairs: &[ReversedPair], numbers: &[usize]) -> Option<String> {
    let ReversedPair { one, other, runs: [first, second], .. } = pairs.first()?;
    let more = if pairs.len() > 1 { format!(" and {} more", pairs.len() - 1) } else { String::new() };
    Some(format!("{one} < {other} ({}, {}){more}", numbers[*first], numbers[*second]))
}

/// The table of all ranks: a row for each algorithm and value, a column for each run.
fn ranks_sheet(group: &RunsOfText, numbers: &[usize], axis: &RangeAxis, time: &str) -> TitledTable {
    let numbers = numbers.iter().map(usize::to_string);
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
    let title = format!("Ranks{} by the {}:", on_text(group), time.to_lowercase());
    TitledTable { title, table, legend }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cpu_has_one_number_in_all_groups() {
        let group = |names: &[&str]| RunsOfText {
            text: None,
            by: RunsDifferBy::Cpu,
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            runs: (0..names.len()).collect(),
            values: Vec::new(),
            not_compared: Vec::new(),
        };
        let groups = [group(&["Zen", "Ice"]), group(&["Ice", "Arm"]), group(&["Arm", "Zen"])];
        assert_eq!(numbers(&groups), [[1, 2], [2, 3], [3, 1]]);
    }
}
