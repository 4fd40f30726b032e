//! Statistics of a quantity in rows and columns.

mod wide;

use std::collections::{BTreeSet, HashMap};

use assay_base::columns;
use assay_base::error::Result;
use assay_base::io::table::{Datum, Table};
use assay_experiment::range::Over;
use assay_load::plugin::Statistic;
use assay_stats::Interval;
use assay_store::Status;
use assay_store::null::floor;
use assay_store::rank::Rank;

use super::figures::{Figure, Value};
use super::marks::{BEST, legend, mark, small};
use crate::RangeAxis;
use crate::{Call, Gap, NotMadeFor, Quantity, Report, StatData, apply_stat, is_list};
pub(crate) use wide::WIDEST;
pub use wide::{FigureStyle, IntervalPlace};

/// The statistic that has intervals and ranks.
const MEDIAN: &str = "med";

/// Statistics of a quantity, for each algorithm.
#[derive(Clone, Debug)]
pub struct StatTable {
    metric: String,
    call: String,
    range: Vec<u64>,
    axis: RangeAxis,
    /// Whether there is a single algorithm, so that no figure is marked as the best.
    alone: bool,
    /// The clock floor.
    floor_ns: Option<f64>,
    /// The noise floor of the ranks.
    floor: f64,
    /// How much algorithms that were measured more than once differ from themselves, in words.
    null: Option<String>,
    lines: Vec<StatLine>,
    /// The cells that failed, by algorithm and range value, with their status.
    failed: HashMap<(String, u64), String>,
    /// Whether an algorithm is not made for a range value.
    has_refusals: bool,
    faults: BTreeSet<String>,
}

#[derive(Clone, Debug)]
struct StatLine {
    algorithm: String,
    statistic: String,
    unit: String,
    is_list: bool,
    data: StatData,
    /// The rank of the algorithm at each range value of the table, if this figure is ranked.
    ranks: Option<Vec<Rank>>,
    /// At each range value, whether its times are below ten clock floors; `None` if this figure is not made
    /// of times, or no time is that short.
    small: Option<Vec<bool>>,
    /// The interval of this figure at each range value of the table, if it is a median; empty if they were
    /// not computed.
    intervals: Vec<Option<Interval>>,
}

impl StatTable {
    /// Statistics of a quantity: of one call, or with `None` of all calls together. Where a metric or a
    /// statistic fails, its figures are missing.
    pub fn new(report: &Report, quantity: &Quantity, call: Option<Call>, statistics: &[Statistic]) -> Self {
        let mut faults = BTreeSet::new();
        let statistics: Vec<(&Statistic, bool)> = statistics
            .iter()
            .map(|statistic| (statistic, or_note(is_list(statistic), &mut faults).unwrap_or(false)))
            .collect();
        let ranks = if report.is_time(quantity) { or_note(report.ranks(call), &mut faults) } else { None };
        let small = match &ranks {
            Some(ranks) => Some(below_floor(ranks)),
            None if report.is_of_times(quantity) => {
                or_note(report.small(report.included(quantity, call)), &mut faults)
            }
            None => None,
        };
        let null = ranks.as_ref().and_then(|_| or_note(report.null(call), &mut faults)).flatten();
        let unit = report.unit(quantity);
        let mut lines = Vec::new();
        for (number, algorithm) in report.algorithms().enumerate() {
            let data = report.data(algorithm).expect("it is one of them");
            let small = small.as_ref().and_then(|small| small_of_algorithm(small, number));
            let mut by_statistic: Vec<StatData> = vec![StatData::default(); statistics.len()];
            for piece in data.pieces() {
                let values = report.metric_values(quantity, call, algorithm, piece.clone());
                let values = or_note(values, &mut faults);
                for ((statistic, _), all) in statistics.iter().zip(&mut by_statistic) {
                    let figures =
                        values.as_ref().and_then(|data| or_note(apply_stat(statistic, data), &mut faults));
                    all.extend(figures.unwrap_or_else(|| StatData::missing(data, piece.clone())));
                }
            }
            for (&(statistic, is_list), data) in statistics.iter().zip(by_statistic) {
                // Ranks compare medians, so other statistics have none.
                let ranks = ranks.as_ref().filter(|_| statistic.facts.id == MEDIAN);
                lines.push(StatLine {
                    intervals: Vec::new(),
                    small: small.clone(),
                    ranks: ranks.map(|ranks| ranks.iter().map(|ranks| ranks[number]).collect()),
                    algorithm: algorithm.to_owned(),
                    statistic: statistic.facts.id.clone(),
                    unit: statistic.unit(&unit).to_owned(),
                    is_list,
                    data,
                });
            }
        }
        let failures =
            report.cells().filter_map(|cell| Some(((cell.algorithm.clone(), cell.range), cell.failure()?)));
        let failed = failures.filter(|(_, status)| *status != Status::CannotSearch.name());
        StatTable {
            failed: failed.map(|(cell, status)| (cell, status.to_owned())).collect(),
            has_refusals: !report.not_made_for().is_empty(),
            metric: quantity.name().to_owned(),
            call: match report.included(quantity, call) {
                _ if report.is_of_starts(quantity) => "start".to_owned(),
                included if report.is_by_call(quantity) => report.call_name(included).to_owned(),
                included => included.map_or("all", Call::name).to_owned(),
            },
            range: report.range(),
            axis: RangeAxis::new(&report.facts),
            alone: report.algorithms().len() == 1,
            floor_ns: report.facts.noise.floor_ns,
            floor: floor(null.as_ref(), call),
            null: null.and_then(|null| null.words(call)),
            lines,
            faults,
        }
    }

    /// The errors of metrics and statistics while the figures were computed, each once.
    pub fn faults(&self) -> impl Iterator<Item = &str> {
        self.faults.iter().map(String::as_str)
    }

    /// The algorithms for which the quantity is missing in some repetitions, and where.
    pub fn gaps(&self) -> impl Iterator<Item = (&str, &[Gap])> {
        // All statistics of an algorithm have the same gaps, but for a statistic that failed: it has none.
        let by_algorithm = self.lines.chunk_by(|one, next| one.algorithm == next.algorithm);
        let with_gaps = by_algorithm.filter_map(|lines| lines.iter().find(|line| !line.data.gaps.is_empty()));
        with_gaps.map(|line| (line.algorithm.as_str(), &line.data.gaps[..]))
    }

    /// Whether no repetition of any algorithm has the quantity.
    pub fn is_empty(&self) -> bool {
        self.lines.iter().all(|line| line.data.repetitions.iter().all(|count| *count == 0))
    }

    /// The least and the greatest number of repetitions that a figure stands for; `None` if there is no
    /// figure.
    pub fn repetitions(&self) -> Option<(usize, usize)> {
        let counts =
            self.points().filter(|(line, range, ..)| line.data.gaps.iter().all(|gap| gap.value != *range));
        let counts: Vec<usize> = counts.map(|(_, _, count, _)| count).filter(|&count| count > 0).collect();
        counts.iter().min().copied().zip(counts.iter().max().copied())
    }

    /// Whether an algorithm is not made for a range value, so that a dash stands there.
    pub fn has_refusals(&self) -> bool {
        self.has_refusals
    }

    /// What the marks of the wide table mean, a line each.
    pub fn legend(&self) -> Vec<String> {
        let mut lines = self.legend_of_marks();
        lines.extend(self.has_refusals.then(|| format!("- {}", NotMadeFor::dash(&self.axis))));
        lines
    }

    fn legend_of_marks(&self) -> Vec<String> {
        let mut ranked = self.lines.iter().filter_map(|line| Some((line, line.ranks.as_ref()?))).peekable();
        if ranked.peek().is_none() {
            let is_small = self.lines.iter().any(|line| line.small.is_some());
            return small(is_small, self.floor_ns).into_iter().collect();
        }
        let mut done = Vec::new();
        for (line, ranks) in ranked {
            for (range, rank) in self.range.iter().zip(ranks) {
                if line.at(*range).is_some_and(|values| !values.is_empty()) {
                    done.push(*rank);
                }
            }
        }
        let mut lines = legend(&done, self.alone, self.floor_ns, self.floor);
        lines.extend(self.null().map(str::to_owned));
        lines
    }

    /// How much algorithms that were measured more than once differ from themselves, in words; `None` if no
    /// figure is marked as the best.
    pub fn null(&self) -> Option<&str> {
        self.null.as_deref().filter(|_| self.has_best())
    }

    /// For other programs: a row for each algorithm, range value and statistic. A list has a row for each
    /// element, with its index.
    pub fn long(&self) -> Table {
        let head = [
            columns::ALGORITHM,
            self.axis.column(),
            "metric",
            "unit",
            "statistic",
            "call",
            "repetitions",
            "index",
            "value",
        ];
        let mut table = Table::new(head);
        for (line, range, repetitions, values) in self.points() {
            let mut push = |index, value| {
                table.push([
                    line.algorithm.as_str().into(),
                    number(range as f64),
                    self.metric.as_str().into(),
                    line.unit.as_str().into(),
                    line.statistic.as_str().into(),
                    self.call.as_str().into(),
                    number(repetitions as f64),
                    index,
                    value,
                ]);
            };
            if values.is_empty() {
                push(Datum::Missing, Datum::Missing);
            }
            for (index, &value) in values.iter().enumerate() {
                push(if line.is_list { number(index as f64) } else { Datum::Missing }, number(value));
            }
        }
        table
    }

    /// For other programs: a figure for each algorithm, range value and statistic.
    pub fn figures(&self) -> impl Iterator<Item = Figure<'_>> {
        let is_length = self.axis.over == Over::PatternLength;
        self.points().map(move |(line, value, repetitions, values)| Figure {
            algorithm: &line.algorithm,
            pattern_length: is_length.then_some(value),
            range_value: (!is_length).then_some(value),
            metric: &self.metric,
            unit: &line.unit,
            statistic: &line.statistic,
            call: &self.call,
            repetitions,
            value: if line.is_list { Value::List(values) } else { Value::One(values.first().copied()) },
        })
    }

    /// The ids of the statistics.
    pub fn statistics(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = Vec::new();
        for line in &self.lines {
            if !ids.contains(&line.statistic.as_str()) {
                ids.push(&line.statistic);
            }
        }
        ids
    }

    /// Whether any figure is marked as the best.
    pub(crate) fn has_best(&self) -> bool {
        let mut ranks = self.lines.iter().filter_map(|line| line.ranks.as_ref()).flatten();
        ranks.any(|rank| mark(*rank, self.alone) == BEST)
    }

    /// Each figure: its line, its range value, the number of its repetitions, and its values.
    fn points(&self) -> impl Iterator<Item = (&StatLine, u64, usize, &[f64])> {
        self.lines.iter().flat_map(|line| {
            let figures = line.data.repetitions.iter().zip(&line.data.values);
            let points = line.data.range.iter().zip(figures);
            points.map(move |(&range, (&repetitions, values))| (line, range, repetitions, &values[..]))
        })
    }
}

impl StatLine {
    /// The figures at a range value.
    fn at(&self, range: u64) -> Option<&[f64]> {
        self.data.range.binary_search(&range).ok().map(|index| &self.data.values[index][..])
    }
}

/// A number for other programs, which get all its digits.
fn number(value: f64) -> Datum {
    Datum::Number(value, 0)
}

/// The value of a result, or `None` with its error noted among the faults.
fn or_note<T>(result: Result<T>, faults: &mut BTreeSet<String>) -> Option<T> {
    result.map_err(|error| faults.insert(error.to_string())).ok()
}

/// Whether times are below ten clock floors: `[range][algorithm]`.
fn below_floor(ranks: &[Vec<Rank>]) -> Vec<Vec<bool>> {
    ranks.iter().map(|ranks| ranks.iter().map(|rank| rank.below_floor).collect()).collect()
}

/// At each range value, whether the times of an algorithm are too short; `None` if none are.
fn small_of_algorithm(small: &[Vec<bool>], number: usize) -> Option<Vec<bool>> {
    let small: Vec<bool> = small.iter().map(|algorithms| algorithms[number]).collect();
    small.contains(&true).then_some(small)
}

#[cfg(test)]
mod tests {
    use assay_base::io::output_format::OutputFormat;
    use assay_plugin_api as registered;
    use serde_json::json;

    use super::*;
    use crate::tests::report;

    type Reduce = fn(&[f64]) -> Vec<f64>;

    fn table(statistics: &[(&'static str, Reduce)]) -> StatTable {
        let rows = "a,4,0,ok,3,1,2,3\na,4,1,ok,3,1,5,6\nb,4,0,crashed,,,,\nb,8,0,ok,3,,7,\n";
        stat_table(&report(rows), statistics)
    }

    fn statistic(id: &'static str, unit: Option<&'static str>, reduce: Reduce) -> Statistic {
        let unknown = registered::Statistic::UNKNOWN;
        Statistic::in_process(registered::Statistic { id, unit, reduce, ..unknown })
    }

    fn stat_table(report: &Report, statistics: &[(&'static str, Reduce)]) -> StatTable {
        let statistics: Vec<Statistic> =
            statistics.iter().map(|&(id, reduce)| statistic(id, None, reduce)).collect();
        StatTable::new(report, &Quantity::Measured("ns".into()), Some(Call::Search), &statistics)
    }

    fn med(values: &[f64]) -> Vec<f64> {
        assay_stats::Summary::new(values).map(|summary| summary.med).into_iter().collect()
    }

    fn json(table: &StatTable) -> Vec<serde_json::Value> {
        table.figures().map(|figure| serde_json::to_value(figure).unwrap()).collect()
    }

    #[test]
    fn a_number_is_one_row_and_what_is_missing_stays_missing() {
        let table = table(&[("sum", |values| vec![values.iter().sum()])]);
        assert_eq!(
            table.wide(FigureStyle::default()).render(OutputFormat::Csv),
            "algorithm,4,8\na,7,\nb,crashed,7\n"
        );
        assert_eq!(
            table.long().render(OutputFormat::Csv),
            "algorithm,pattern_length,metric,unit,statistic,call,repetitions,index,value\n\
             a,4,ns,ns,sum,search,2,,7\nb,4,ns,ns,sum,search,0,,\nb,8,ns,ns,sum,search,1,,7\n"
        );
        let values: Vec<serde_json::Value> = json(&table).iter().map(|p| p["value"].clone()).collect();
        assert_eq!(values, [json!(7.0), json!(null), json!(7.0)]);
        assert_eq!(table.repetitions(), Some((1, 2)));
        assert_eq!(table.gaps().count(), 0, "a failed cell has no gap");
    }

    #[test]
    fn what_is_missing_in_one_repetition_has_no_figure_and_no_rank() {
        let mut rows = String::new();
        for round in 0..5 {
            let slow = if round == 2 { String::new() } else { format!("{}", 900 + round) };
            rows += &format!(
                "a,4,{round},ok,3,1,{slow},2000,{round}\nb,4,{round},ok,3,1,{},2000,{round}\n",
                1000 + round
            );
        }
        let report = crate::tests::with_columns(",round", &rows).unwrap();
        let table = stat_table(&report, &[("med", med), ("same", med)]);
        assert_eq!(
            table.wide(FigureStyle::default()).render(OutputFormat::Csv),
            "algorithm,statistic,4\na,med,\na,same,\nb,med,1002\nb,same,1002\n"
        );
        let gaps: Vec<_> = table.gaps().collect();
        assert_eq!(gaps, [("a", &[Gap { value: 4, missing: 1, of: 5 }][..])]);
        assert_eq!((table.repetitions(), json(&table)[0]["repetitions"].clone()), (Some((5, 5)), json!(4)));
        let ranks = report.ranks(Some(Call::Search)).unwrap();
        assert_eq!(ranks[0].iter().map(|rank| rank.is_best()).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn a_statistic_with_a_unit_of_its_own_is_not_in_that_of_the_quantity() {
        let report = report("a,4,0,ok,3,1,2,3\n");
        let quantity = Quantity::Measured("ns".into());
        for (unit, expected) in [(None, "ns"), (Some(""), ""), (Some("%"), "%")] {
            let count = statistic("n", unit, |values| vec![values.len() as f64]);
            let table = StatTable::new(&report, &quantity, None, &[count]);
            let csv = table.long().render(OutputFormat::Csv);
            assert!(csv.contains(&format!("a,4,ns,{expected},n,")), "{csv}");
            assert_eq!(json(&table)[0]["unit"], expected);
        }
    }

    #[test]
    fn a_column_is_of_the_call_that_it_is_about() {
        let report = report("a,4,0,ok,3,1,2,3\n");
        let statistics = [statistic("sum", None, <[f64]>::to_vec)];
        for (column, call) in [
            ("search_ns", "search"),
            ("prepare_ns", "prepare"),
            ("total_ns", "all"),
            ("occurrences", "search"),
        ] {
            let table = StatTable::new(&report, &Quantity::Measured(column.into()), None, &statistics);
            assert_eq!(json(&table)[0]["call"], call, "{column}");
        }
    }

    #[test]
    fn a_list_has_a_row_for_each_element() {
        let table = table(&[("all", <[f64]>::to_vec), ("first", |values| vec![values[0]])]);
        assert_eq!(
            table.wide(FigureStyle::default()).render(OutputFormat::Csv),
            "algorithm,statistic,4,8\na,all[0],2,\na,all[1],5,\na,first,2,\nb,all[0],crashed,7\nb,first,crashed,7\n"
        );
        let long = table.long().render(OutputFormat::Csv);
        assert!(long.contains("a,4,ns,ns,all,search,2,1,5\n") && long.contains("b,4,ns,ns,all,search,0,,\n"));
        assert_eq!(json(&table)[0]["value"], json!([2.0, 5.0]));
        assert_eq!(json(&table)[2]["value"], json!([]));
    }

    #[test]
    fn marks_are_explained_where_there_are_some() {
        assert_eq!(table(&[("sum", med)]).legend(), [""; 0], "only medians are marked");
        let legend = table(&[("med", med)]).legend();
        assert!(!legend.is_empty() && legend.iter().all(|line| !line.is_empty()), "{legend:?}");
        let crashed = stat_table(&report("a,4,0,crashed,,,,\nb,4,0,crashed,,,,\n"), &[("med", med)]);
        assert_eq!(crashed.legend(), ["no best is marked: there are no times to compare"]);
    }
}
