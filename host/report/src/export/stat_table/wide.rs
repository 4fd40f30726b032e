//! The table of statistics for people, with the intervals of medians.

use assay_base::io::numbers::{decimals, supported_decimals};
use assay_base::io::table::{Datum, Table};
use assay_stats::Interval;
use clap::ValueEnum;

use super::{MEDIAN, StatLine, StatTable, or_note};
use crate::export::marks::{SMALL, mark};
use crate::{Call, Quantity, Report};

/// The column of the widest intervals.
pub(crate) const WIDEST: &str = "± %";

/// Where the 95 % intervals of medians stand in a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum IntervalPlace {
    /// In a last column: the half-width of the widest one of a row, in percent
    Column,
    /// In each cell: its half-width, after the median
    Cell,
    /// Nowhere
    #[default]
    None,
}

/// How the figures of a table are written.
#[derive(Clone, Copy, Debug, Default)]
pub struct FigureStyle {
    /// The decimals of all figures, if they are given.
    pub precision: Option<usize>,
    /// Where intervals stand.
    pub interval: IntervalPlace,
    /// Whether figures have no more decimals than their intervals support.
    pub supported_only: bool,
}

impl StatTable {
    /// The same table with the intervals of its medians, which are computed from the rounds. Where that
    /// fails, they are missing.
    #[must_use]
    pub fn with_intervals(mut self, report: &Report, quantity: &Quantity, call: Option<Call>) -> Self {
        let StatTable { lines, range, faults, .. } = &mut self;
        for line in lines.iter_mut().filter(|line| line.statistic == MEDIAN) {
            for (place, value) in range.iter().enumerate() {
                // Intervals of times that are too short show the resolution of the clock.
                if line.small.as_ref().is_some_and(|small| small[place]) {
                    line.intervals.push(None);
                    continue;
                }
                let interval = report.interval_of_median(quantity, call, &line.algorithm, *value);
                line.intervals.push(or_note(interval, faults).flatten());
            }
        }
        self
    }

    /// Whether any figure has an interval.
    pub fn has_intervals(&self) -> bool {
        self.lines.iter().any(|line| line.intervals.iter().any(Option::is_some))
    }

    /// What the intervals of a table in this style are; `None` if it has none.
    pub fn legend_of_intervals(&self, style: FigureStyle) -> Option<String> {
        let meaning = match style.interval {
            IntervalPlace::None => return None,
            IntervalPlace::Column => "± % half-width of the widest 95 % confidence interval in the row",
            IntervalPlace::Cell => "± half-width of the 95 % confidence interval of the median",
        };
        self.has_intervals().then(|| meaning.to_owned())
    }

    /// For people: a row for each algorithm and statistic, a column for each range value. A list has a row
    /// for each element. A cell that failed has its status, and one that an algorithm is not made for a dash.
    pub fn wide(&self, style: FigureStyle) -> Table {
        let several = self.lines.iter().any(|line| line.is_list || line.statistic != self.lines[0].statistic);
        let columns = ["algorithm"].into_iter().chain(several.then_some("statistic")).map(str::to_owned);
        let has_widest = style.interval == IntervalPlace::Column && self.has_intervals();
        let lengths = self.range.iter().map(|value| self.axis.label(*value));
        let mut table = Table::new(columns.chain(lengths).chain(has_widest.then(|| WIDEST.to_owned())));
        for line in &self.lines {
            // Figures of one unit have the same decimals.
            let same_unit = self.lines.iter().filter(|other| other.unit == line.unit);
            let decimals = style.precision.unwrap_or_else(|| {
                decimals(same_unit.flat_map(|line| line.data.values.iter().flatten().copied()))
            });
            let length = line.data.values.iter().map(Vec::len).max().unwrap_or_default().max(1);
            for index in 0..length {
                let name = if line.is_list {
                    format!("{}[{index}]", line.statistic)
                } else {
                    line.statistic.clone()
                };
                let head = [line.algorithm.clone()].into_iter().chain(several.then_some(name));
                let places = self.range.iter().enumerate();
                let cells =
                    places.map(|(place, value)| match line.at(*value).and_then(|all| all.get(index)) {
                        Some(figure) => line.figure(*figure, place, decimals, style, self.alone),
                        None => self.absent(&line.algorithm, *value),
                    });
                let widest = has_widest.then(|| line.widest_interval());
                table.push(head.map(Datum::from).chain(cells).chain(widest));
            }
        }
        table
    }

    /// A cell without a figure: how it failed, or a dash.
    fn absent(&self, algorithm: &str, value: u64) -> Datum {
        self.failed.get(&(algorithm.to_owned(), value)).map(|status| status.replace('_', " ")).into()
    }
}

impl StatLine {
    /// A figure as a cell of a table.
    fn figure(&self, value: f64, place: usize, decimals: usize, style: FigureStyle, alone: bool) -> Datum {
        let interval = self.intervals.get(place).copied().flatten();
        let half_width = interval.map(|interval: Interval| (interval.high - interval.low) / 2.0);
        let supported = half_width.filter(|_| style.supported_only && style.precision.is_none());
        let decimals = supported.map_or(decimals, |half_width| decimals.min(supported_decimals(half_width)));
        let mark = match (&self.ranks, &self.small) {
            (_, Some(small)) if small[place] => Some(SMALL),
            (Some(ranks), _) => Some(mark(ranks[place], alone)),
            (None, Some(_)) => Some(' '),
            (None, None) => None,
        };
        match (half_width.filter(|_| style.interval == IntervalPlace::Cell), mark) {
            (Some(half_width), mark) => {
                Datum::Within { value, half_width, decimals, mark: mark.unwrap_or(' ') }
            }
            (None, Some(mark)) => Datum::Marked(value, decimals, mark),
            (None, None) => Datum::Number(value, decimals),
        }
    }

    /// The half-width of the widest interval, in percent; missing if there is none.
    fn widest_interval(&self) -> Datum {
        let intervals = self.intervals.iter().flatten();
        let widths = intervals.map(|interval| 100.0 * interval.relative_half_width());
        // An interval around 0 has no relative width.
        let widest = widths.filter(|width| width.is_finite()).reduce(f64::max);
        widest.map(|width| Datum::Number(width, 1)).into()
    }
}

#[cfg(test)]
mod tests {
    use assay_base::io::output_format::OutputFormat;
    use assay_load::plugin::Statistic;
    use assay_plugin_api as registered;

    use super::*;
    use crate::tests::{report, with_columns};

    fn median() -> Statistic {
        let reduce: fn(&[f64]) -> Vec<f64> =
            |values| assay_stats::Summary::new(values).map(|summary| summary.med).into_iter().collect();
        let unknown = registered::Statistic::UNKNOWN;
        Statistic::in_process(registered::Statistic { id: MEDIAN, reduce, ..unknown })
    }

    /// Medians with their intervals in eight rounds of these rows of times, in ns.
    fn table(times: impl Fn(u32) -> Vec<(&'static str, u64, f64)>) -> StatTable {
        let rows = (0..8).flat_map(|round| {
            let cells = times(round).into_iter();
            cells.map(move |(id, length, time)| format!("{id},{length},{round},ok,3,1,{time},1000,{round}\n"))
        });
        let report = with_columns(",round", &rows.collect::<String>()).unwrap();
        let quantity = Quantity::Measured("ns".into());
        StatTable::new(&report, &quantity, Some(Call::Search), &[median()]).with_intervals(
            &report,
            &quantity,
            Some(Call::Search),
        )
    }

    fn style(interval: IntervalPlace) -> FigureStyle {
        FigureStyle { interval, supported_only: true, precision: None }
    }

    #[test]
    fn the_last_column_has_the_widest_interval_of_a_row() {
        let table = table(|round| vec![("a", 4, 100.0), ("a", 8, 100.0 + f64::from(round)), ("b", 4, 7.0)]);
        let wide = table.wide(style(IntervalPlace::Column));
        assert_eq!(wide.columns, ["algorithm", "4", "8", "± %"]);
        let Datum::Number(widest, 1) = wide.rows[0][3] else { panic!("{wide:?}") };
        // The interval holds more than the middle of 100 to 107, and no more than all.
        assert!((0.4..3.5).contains(&widest), "{widest}");
        assert_eq!(wide.rows[1][3], Datum::Number(0.0, 1));
        assert_eq!(table.wide(FigureStyle::default()).columns.len(), 3);
    }

    #[test]
    fn a_figure_has_the_decimals_that_its_interval_supports() {
        let table = table(|round| {
            vec![("a", 4, 0.25 + 0.0001 * f64::from(round)), ("a", 8, 100.0 + 50.0 * f64::from(round))]
        });
        let decimals = |style: FigureStyle| -> Vec<usize> {
            let wide = table.wide(style);
            let cells = wide.rows[0][1..3].iter().map(|cell| match cell {
                Datum::Marked(_, decimals, _) | Datum::Number(_, decimals) => *decimals,
                Datum::Within { decimals, .. } => *decimals,
                other => panic!("{other:?}"),
            });
            cells.collect()
        };
        for place in [IntervalPlace::Column, IntervalPlace::Cell, IntervalPlace::None] {
            assert_eq!(decimals(style(place)), [3, 0], "{place:?}");
        }
        assert_eq!(decimals(FigureStyle::default()), [3, 3], "three digits of the smallest");
        assert_eq!(decimals(FigureStyle { precision: Some(1), ..style(IntervalPlace::Cell) }), [1, 1]);
    }

    #[test]
    fn an_interval_stands_in_its_cell_and_programs_get_the_median_alone() {
        let table = table(|round| vec![("a", 4, 100.0 + f64::from(round))]);
        let wide = table.wide(style(IntervalPlace::Cell));
        let text = wide.render(OutputFormat::Table);
        assert!(text.contains(" ± ") && !text.contains('%'), "{text}");
        assert_eq!(wide.render(OutputFormat::Csv), "algorithm,4\na,103.5\n");
    }

    #[test]
    fn a_failure_has_its_status_and_what_an_algorithm_is_not_made_for_a_dash() {
        let rows = "a,4,0,ok,3,1,2,3\na,8,0,timed_out,,,,\nb,4,0,ok,3,1,2,3\nb,8,0,cannot_search,,,,\n";
        let table = StatTable::new(&report(rows), &Quantity::Measured("ns".into()), None, &[median()]);
        let wide = table.wide(FigureStyle::default());
        assert_eq!((&wide.rows[0][2], &wide.rows[1][2]), (&"timed out".into(), &Datum::Missing));
        assert!(!table.has_intervals());
    }
}
